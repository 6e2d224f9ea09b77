export { getDefaultManagers, type DefaultManagersOptions } from './control/manager/default-managers.ts';
export type { DevToolsConnection, DevToolsExtension, DevToolsMessage } from './control/manager/devtools-extension.ts';
export { DevToolsManager, type DevToolsConfig } from './control/manager/devtools-manager.ts';
export { beforeFrame, type Frames, type Schedule } from './control/manager/frame.ts';
export { IdlingNetworkManager } from './control/manager/idling-network-manager.ts';
export { LogoutManager, type LogoutManagerOptions } from './control/manager/logout-manager.ts';
export { MissingManager, type MissingEndpoint, type MissingManagerOptions } from './control/manager/missing-manager.ts';
export { NetworkManager, type NetworkManagerOptions } from './control/controller/network-manager.ts';
export {
  PollingSubscription,
  type PollingOptions as PollingWorld,
  type Subscribed,
  type Subscription,
} from './control/manager/polling-subscription.ts';
export { networkOf, presenceOf, type Page, type Presence } from './control/manager/presence.ts';
export { recommended, type Recommended, type RecommendedOptions } from './control/manager/recommended.ts';
export { RefetchManager, type RefetchManagerOptions } from './control/manager/refetch-manager.ts';
export {
  serverSentEvents,
  StreamRefusedError,
  type ServerSentEventsOptions,
} from './control/manager/server-sent-events.ts';
export type { Reconnect } from './control/manager/reconnecting-stream.ts';
export type { StreamWrite } from './control/manager/stream-write.ts';
export { StreamManager, type StreamOptions } from './control/manager/stream-manager.ts';
export type {
  StreamAddress,
  StreamConnection,
  StreamEnd,
  StreamEvents,
  StreamMessage,
  StreamSource,
} from './control/manager/stream-source.ts';
export { SubscriptionManager, type SubscriptionConstructor } from './control/manager/subscription-manager.ts';
export {
  webSocket,
  type WebSocketEvent,
  type WebSocketLike,
  type WebSocketOptions,
} from './control/manager/web-socket.ts';
export type { Answer, View } from './control/view/answer.ts';
export { ExpiryStatus } from './control/view/expiry-status.ts';
export type { ShownRequest, StoredResponse } from './control/view/responses.ts';
export { Snapshot } from './control/view/controller-snapshot.ts';
export { actionTypes } from './control/controller/action.ts';
export type {
  Action,
  AllAction,
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
  EndpointUpdateFunction,
  ExpireAllAction,
  ExpiryStatusInterface,
  GenericDispatch,
  InvalidateAllAction,
  ResultEntry,
  State,
  UnsubscribeAction,
  UpdateFunction,
} from './control/controller/infer-controller-aliases.ts';
export { Controller, type ControllerOptions } from './control/controller/controller.ts';
export type { Dispatcher, RequestKeyFilter } from './control/controller/dispatcher.ts';
export {
  type Collectable,
  type GCInterface,
  GCPolicy,
  type GCPolicyOptions,
  type GCPolicyOptions as GCOptions,
  ImmortalGCPolicy,
  type WhenIdle,
} from './control/controller/gc-policy.ts';
export type { Dispatch, Manager, Middleware, MiddlewareAPI, OrState, Reader } from './control/controller/manager.ts';
export { ResetError } from './control/controller/reset-error.ts';
export { refsOf, type Refs } from './control/controller/refs-of.ts';
export { Slices, type SlicesOptions, type Slicing } from './control/controller/slices.ts';
export { batched, type BatchedArgs, type BatchedEndpoint, type BatchedOptions } from './define/endpoint/batching.ts';
export { RecordMissingError } from './define/endpoint/batching-session.ts';
export { withDeadline } from './define/endpoint/deadline.ts';
export { Endpoint, Endpoint as ExtendableEndpoint } from './define/endpoint/endpoint.ts';
export type { Answered, Exchange, Refresh, Version } from './define/endpoint/exchange.ts';
export type {
  ArgsOf,
  EndpointConstructor,
  EndpointExtendOptions,
  EndpointInstance,
  EndpointInstanceInterface,
  EndpointInterface,
  EndpointOptions,
  EndpointParam,
  EndpointToFunction,
  FetchFunction,
  KeyofEndpointInstance,
  NI,
  ReadEndpoint,
  WithLast,
} from './define/endpoint/infer-endpoint.ts';
export type { ArgsOrNull, NullableValueOf, ResolveType, ValueOf } from './define/endpoint/infer-value.ts';
export type {
  EndpointExtraOptions,
  SnapshotInterface,
  SnapshotResponse,
  UnknownError,
} from './define/endpoint/options.ts';
export { platform, type HeadersGiven, type Platform } from './std/platform.ts';
export { withRetry, type Failures, type Repeated, type Retry, type RetryOptions } from './define/endpoint/retry.ts';
export type { StandardIssue, StandardSchema } from './std/standard-schema.ts';
export { type CachedRequest, type Caching, httpCaching, type HttpCachingOptions } from './define/rest/caching.ts';
export type { FieldErrors } from './define/rest/error-reasons.ts';
export { fileNameOf, parseContentDisposition, readFile, type Disposition } from './define/rest/content-disposition.ts';
export { safeFileName } from './define/rest/file-name.ts';
export { hookifyResource, type Hookified } from './define/rest/hookify-resource.ts';
export type {
  AddEndpoint,
  Defaults,
  FetchGet,
  FetchMutate,
  FromFallBack,
  KeyofRestEndpoint,
  MethodToSide,
  MoveEndpoint,
  OptionsToFunction,
  PaginationEndpoint,
  PaginationFieldEndpoint,
  ParamFetchNoBody,
  ParamFetchWithBody,
  RemoveEndpoint,
  RestEndpointConstructorOptions,
  RestEndpointExtendOptions,
  RestEndpointOptions,
  RestExtendedEndpoint,
  RestFetch,
  RestInstance,
  RestType,
  RestTypeNoBody,
  RestTypeWithBody,
} from './define/rest/infer-rest-aliases.ts';
export type { PartialRestGenerics, RestArgs, RestGenerics } from './define/rest/infer-args.ts';
export type { KeysToArgs, PathArgs, PathArgsAndSearch, PathKeys, ShortenPath } from './define/rest/infer-path.ts';
export type {
  CustomResource,
  ExtendedResource,
  HookableEndpointInterface,
  HookResource,
  ResourceEndpointExtensions,
  ResourceExtension,
  ResourceInterface,
} from './define/rest/infer-resource-aliases.ts';
export type {
  AnySearch,
  OfChange,
  OfDelete,
  OfList,
  OfPart,
  OfRecord,
  Resource,
  ResourceGenerics,
  ResourceMembers,
  ResourceOf,
  ResourceOptions,
} from './define/rest/infer-resource.ts';
export type {
  AddGenerics,
  GetEndpoint,
  MoveGenerics,
  MutateEndpoint,
  PageGenerics,
  PagesGenerics,
  RemoveGenerics,
  RestEndpointConstructor,
  RestEndpointInstance,
  RestInstanceBase,
} from './define/rest/infer-rest.ts';
export type { ResponseMeta, RestOptions } from './define/rest/infer-rest-options.ts';
export {
  camelCase,
  camelCaseKeys,
  convertKeys,
  snakeCase,
  snakeCaseKeys,
  type KeyCaseOptions,
} from './define/rest/key-case.ts';
export { renameKeys, restoreKeys, type KeyNames } from './define/rest/key-rename.ts';
export { cursorIn, linkTo, parseLinkHeader, withLink, type Link } from './define/rest/link-header.ts';
export { parseLossless } from './define/rest/lossless-json.ts';
export { parseInSlices, type SlicedJsonOptions } from './define/rest/sliced-json.ts';
export { NetworkError, type ErrorTypes } from './define/rest/network-error.ts';
export { BatchError, type RefusedItem } from './define/rest/outcomes.ts';
export type { RestCall } from './define/rest/params-and-body.ts';
export type { PreparedInit } from './define/rest/request-init.ts';
export { resource, resource as createResource } from './define/rest/resource.ts';
export { RestEndpoint } from './define/rest/rest-endpoint.ts';
export { retrying } from './define/rest/retrying.ts';
export { getUrlBase, getUrlTokens } from './define/rest/url.ts';
export { All } from './define/schema/all.ts';
export { Collection } from './define/schema/collection.ts';
export type { CollectionOptions } from './define/schema/collection-options.ts';
export { type ListOptions, type ListRule, undecidable } from './define/schema/list-rules.ts';
export { Entity, type EntityInterface } from './define/schema/entity.ts';
export type { EntityIndex } from './define/schema/indexes.ts';
export { EntityMixin } from './define/schema/entity-mixin.ts';
export type { Mixed } from './define/schema/infer-mixin.ts';
export type {
  AbstractInstanceType,
  Changes,
  DefaultArgs,
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  EntityMap,
  List,
  Normalize,
  NormalizeNullable,
  ObjectArgs,
  Queryable,
  Schema,
  SchemaArgs,
  Serializable,
  WithPk,
} from './define/schema/infer-schema.ts';
export type {
  ArrayElement,
  PK,
  PolymorphicInterface,
  SchemaClass,
  Visit,
} from './define/schema/infer-schema-aliases.ts';
export { Invalidate } from './define/schema/invalidate.ts';
export { keyOf } from './define/schema/key-of.ts';
export { Lazy } from './define/schema/lazy.ts';
export { unshift } from './define/schema/collection-members.ts';
export { schema } from './define/schema/namespace.ts';
export { Query } from './define/schema/query.ts';
export { validateRequired } from './define/schema/required.ts';
export { Scalar } from './define/schema/scalar.ts';
export type {
  DenormalizeDelegate,
  DenormalizeDelegate as IDenormalizeDelegate,
  NormalizeDelegate,
  NormalizeDelegate as INormalizeDelegate,
  QueryDelegate,
  QueryDelegate as IQueryDelegate,
  Unvisit,
} from './define/schema/delegate.ts';
export {
  INVALID,
  type Row,
  type TableRef,
  type TableSchema,
  type TableSchema as Mergeable,
} from './define/schema/row.ts';
export type { RowSchema, SchemaSimple } from './define/schema/schema.ts';
export type { Stamp } from './define/schema/stamp.ts';
export { Union } from './define/schema/union.ts';
export { Values } from './define/schema/values.ts';
export { applyCommit } from './state/hydrate/apply-commit.ts';
export { exchangeCommits } from './state/hydrate/exchange-commits.ts';
export { dehydrateCommit } from './state/hydrate/dehydrate-commit.ts';
export { dehydrate } from './state/hydrate/dehydrate.ts';
export type { Dehydrated, DehydratedCommit } from './state/hydrate/dehydrated.ts';
export { hydrate } from './state/hydrate/hydrate.ts';
export type { Commit, RequestChange, RowChange } from './state/store/commit.ts';
export { addGuess, type Layer } from './state/store/layer.ts';
export type { Guess, Intent } from './state/store/layer-rows.ts';
export type { Ticket } from './state/store/tickets.ts';
export type { StoredRow } from './state/store/restore.ts';
export type { Result } from './state/store/request-state.ts';
export type { SnapshotReader } from './state/store/snapshot.ts';
export { takeSnapshot } from './state/store/store-snapshot.ts';
export { type Readable, Store, type StoreOptions } from './state/store/store.ts';
export type { StoreStats } from './state/store/store-stats.ts';
export type { WriteOptions } from './state/store/write-options.ts';
export { DataError } from './std/data-error.ts';
export { Aggregate } from './define/query/aggregate.ts';
export { avg, collect, count, first, last, max, min, sum } from './state/query/aggregates.ts';
export { distinct } from './state/query/distinct.ts';
export { on, type JoinOn } from './state/query/on.ts';
export { arg, Argument } from './define/query/argument.ts';
export type { Comparison, FieldConditions } from './define/query/infer-condition.ts';
export type { ItemsOf, Returning, Rows, Selected } from './define/query/infer-source.ts';
export type { OwnerByPk } from './define/query/infer-relation.ts';
export type { Direction, OrderOptions } from './define/query/order.ts';
export { BelongsTo, belongsTo } from './state/query/belongs-to.ts';
export { hasMany } from './state/query/has-many.ts';
export { from, LiveQuery } from './state/query/live-query.ts';
export { isLoaded } from './define/query/loaded-fields.ts';
export { explain, type ExplainedQuery, type Explanation } from './state/query/explain.ts';
export { relationsOf, toMermaid, type RelationOf } from './state/query/relations-of.ts';
export { through, Through } from './state/query/through.ts';
export { ancestors, descendants } from './state/query/tree.ts';
