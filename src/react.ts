export { AsyncBoundary, type AsyncBoundaryProps } from './adapters/react/async-boundary.tsx';
export { ControllerContext, useController } from './adapters/react/controller-context.ts';
export {
  DataProvider,
  DataProvider as CacheProvider,
  type DataProviderProps,
} from './adapters/react/data-provider.tsx';
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
} from './adapters/react/error-boundary.tsx';
export { useCache } from './adapters/react/use-cache.ts';
export { useCancelling } from './adapters/react/use-cancelling.ts';
export { useDebounce } from './adapters/react/use-debounce.ts';
export { useDLE, type DLE } from './adapters/react/use-dle.ts';
export { useError } from './adapters/react/use-error.ts';
export { useFetch } from './adapters/react/use-fetch.ts';
export { useInfinite, type Infinite, type InfiniteOptions, type PageArg } from './adapters/react/use-infinite.ts';
export { useLive } from './adapters/react/use-live.ts';
export { useLoading } from './adapters/react/use-loading.ts';
export { useQuery } from './adapters/react/use-query.ts';
export { useSubscription } from './adapters/react/use-subscription.ts';
export { useSuspense } from './adapters/react/use-suspense.ts';
export type { Usable } from './control/view/usable.ts';
