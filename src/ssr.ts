export { awaitInitialData, getInitialData } from './adapters/ssr/initial-data.ts';
export type { Destination, PipeableStream } from './adapters/ssr/node-stream.ts';
export type { WholeState } from './adapters/ssr/page-part.ts';
export {
  createPersistedStore,
  createServerDataComponent,
  ServerData,
  type ServerDataProps,
  type UseReadyState,
} from './adapters/ssr/persisted-store.ts';
export { fromScriptJson, toScriptJson } from './adapters/ssr/script-json.ts';
export { ServerSession, type ServerSessionOptions } from './adapters/ssr/server-session.ts';
export type { StateScript } from './adapters/ssr/state-script.ts';
export { takeOver, type TakenOver, type TakeOverOptions } from './adapters/ssr/take-over.ts';
