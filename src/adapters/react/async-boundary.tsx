import { type ComponentType, memo, type NamedExoticComponent, type ReactNode, Suspense, useReducer } from 'react';
import { ErrorBoundary, type ErrorFallbackProps } from './error-boundary.tsx';
import { HAS_CONTEXT_RETRY, RetriedFallback } from './suspense-retry.tsx';

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps {
  readonly children?: ReactNode;
  /** Shown while data is loading. */
  readonly fallback?: ReactNode;
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  readonly errorClassName?: string | undefined;
  readonly listen?: ((reset: () => void) => () => void) | undefined;
}

/** Shows a fallback while data is loading, and the error if it failed. */
export const AsyncBoundary: NamedExoticComponent<AsyncBoundaryProps> = /* #__PURE__ */ memo(function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  errorClassName,
  listen,
}: AsyncBoundaryProps): ReactNode {
  const [, tryAgain] = useReducer((attempt: number) => attempt + 1, 0);
  return (
    <Suspense
      fallback={HAS_CONTEXT_RETRY ? fallback : <RetriedFallback tryAgain={tryAgain}>{fallback}</RetriedFallback>}
    >
      <ErrorBoundary fallbackComponent={errorComponent} className={errorClassName} listen={listen}>
        {children}
      </ErrorBoundary>
    </Suspense>
  );
});
