import { QueryClientProvider, QueryErrorResetBoundary } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from 'rejoin/react';
import { Failure } from '../../shell/failure.tsx';
import { queryClient } from '../screens/tanstack-api.ts';

interface Props {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** The provider of the version with TanStack Query. */
export function TanstackRoot({ fallback, children }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <ErrorBoundary
            fallbackComponent={({ error, resetErrorBoundary }) => (
              <Failure
                error={error}
                resetErrorBoundary={() => {
                  reset();
                  resetErrorBoundary();
                }}
              />
            )}
          >
            <Suspense fallback={fallback}>{children}</Suspense>
          </ErrorBoundary>
        )}
      </QueryErrorResetBoundary>
    </QueryClientProvider>
  );
}

export function startTanstackOver(): void {
  queryClient.clear();
}
