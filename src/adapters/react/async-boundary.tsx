import { type ComponentType, memo, type NamedExoticComponent, type ReactNode, Suspense } from 'react';
import { ErrorBoundary, type ErrorFallbackProps } from './error-boundary.tsx';

export interface AsyncBoundaryProps {
  readonly children?: ReactNode;
  /** What is shown while there is nothing else. */
  readonly fallback?: ReactNode;
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  readonly errorClassName?: string | undefined;
  readonly listen?: ((reset: () => void) => () => void) | undefined;
}

/** Shows that something is loading, or why it is not there. */
export const AsyncBoundary: NamedExoticComponent<AsyncBoundaryProps> = /* #__PURE__ */ memo(function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  errorClassName,
  listen,
}: AsyncBoundaryProps): ReactNode {
  return (
    <Suspense fallback={fallback}>
      <ErrorBoundary fallbackComponent={errorComponent} className={errorClassName} listen={listen}>
        {children}
      </ErrorBoundary>
    </Suspense>
  );
});
