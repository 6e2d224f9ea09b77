export { AsyncBoundary, type AsyncBoundaryProps } from './adapters/react/async-boundary.tsx';
export { ControllerContext, useController } from './adapters/react/controller-context.ts';
export {
  DataProvider,
  DataProvider as CacheProvider,
  type DataProviderProps,
  type DataProviderProps as ProviderProps,
  type DevToolsPosition,
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
export {
  useInfinite,
  type Infinite,
  type InfiniteOptions,
  type ItemOf,
  type PageArg,
} from './adapters/react/use-infinite.ts';
export { useLive } from './adapters/react/use-live.ts';
export { useLoading } from './adapters/react/use-loading.ts';
export { useMutation, type MutationState } from './adapters/react/use-mutation.ts';
export { useOutbox, type OutboxReader } from './adapters/react/use-outbox.ts';
export { usePending } from './adapters/react/use-pending.ts';
export { useQuery } from './adapters/react/use-query.ts';
export { useSubscription } from './adapters/react/use-subscription.ts';
export { useSuspense } from './adapters/react/use-suspense.ts';
export type { Usable } from './control/screen/usable.ts';
// Names that applications of Reactive Data Client import from the package of its hooks.
export { actionTypes } from './control/controller/action.ts';
export type {
  FetchAction,
  InvalidateAction,
  OptimisticAction,
  ResetAction,
  SetAction,
  SetResponseAction,
  SubscribeAction,
} from './control/controller/action.ts';
export type {
  ActionTypes,
  DataClientDispatch,
  ExpireAllAction,
  GenericDispatch,
  InvalidateAllAction,
  State,
  UnsubscribeAction,
  UpdateFunction,
} from './control/controller/infer-controller-aliases.ts';
export { Controller } from './control/controller/controller.ts';
export {
  type GCInterface,
  GCPolicy,
  type GCPolicyOptions as GCOptions,
  ImmortalGCPolicy,
} from './control/controller/gc-policy.ts';
export type { Dispatch, Manager, Middleware, MiddlewareAPI } from './control/controller/manager.ts';
export { getDefaultManagers } from './control/manager/default-managers.ts';
export { DevToolsManager } from './control/manager/devtools-manager.ts';
export { IdlingNetworkManager } from './control/manager/idling-network-manager.ts';
export { LogoutManager } from './control/manager/logout-manager.ts';
export { NetworkManager } from './control/controller/network-manager.ts';
export { PollingSubscription } from './control/manager/polling-subscription.ts';
export { SubscriptionManager } from './control/manager/subscription-manager.ts';
export { ExpiryStatus } from './control/view/expiry-status.ts';
export type { EndpointInterface, FetchFunction } from './define/endpoint/infer-endpoint.ts';
export type { ResolveType } from './define/endpoint/infer-value.ts';
export type { EndpointExtraOptions, UnknownError } from './define/endpoint/options.ts';
export type { ErrorTypes, NetworkError } from './define/rest/network-error.ts';
export type {
  AbstractInstanceType,
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NormalizeNullable,
  Queryable,
  Schema,
  SchemaArgs,
} from './define/schema/infer-schema.ts';
export type { PK } from './define/schema/infer-schema-aliases.ts';
