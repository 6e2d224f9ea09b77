import { type ComponentType, memo, type NamedExoticComponent, type ReactNode, Suspense, useReducer } from 'react';
import { IS_REACT_18 } from './environment.ts';
import { ErrorBoundary, type ErrorFallbackProps } from './error-boundary.tsx';
import { RetriedFallback } from './suspense-retry.tsx';

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps {
  readonly children?: ReactNode;
  /** Shown while data is loading. */
  readonly fallback?: ReactNode;
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  readonly errorClassName?: string | undefined;
  readonly listen?: ((reset: () => void) => () => void) | undefined;
  /** The content is tried again after an error when one of these values changes. */
  readonly resetKeys?: readonly unknown[] | undefined;
}

/** Shows a fallback while data is loading, and the error if it failed. */
export const AsyncBoundary: NamedExoticComponent<AsyncBoundaryProps> = /* #__PURE__ */ memo(function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  errorClassName,
  listen,
  resetKeys,
}: AsyncBoundaryProps): ReactNode {
  const [, tryAgain] = useReducer((attempt: number) => attempt + 1, 0);
  return (
    <Suspense fallback={IS_REACT_18 ? <RetriedFallback tryAgain={tryAgain}>{fallback}</RetriedFallback> : fallback}>
      <ErrorBoundary
        fallbackComponent={errorComponent}
        className={errorClassName}
        listen={listen}
        resetKeys={resetKeys}
      >
        {children}
      </ErrorBoundary>
    </Suspense>
  );
});
