import {
  applyManager,
  Controller as PeerController,
  createReducer,
  initialState,
  NetworkManager,
} from '@data-client/core';
import { Controller, type Endpoint } from '../../src/index.ts';

type Library = { readonly Endpoint: typeof Endpoint };
type Args = readonly unknown[];
type Called = (...args: Args) => Promise<unknown>;

/** The operations of a controller that applications use, for both libraries. */
export interface Client {
  readonly fetch: Called;
  /** Stores a value. */
  readonly set: (schema: unknown, value: unknown) => Promise<unknown>;
  readonly setResponse: Called;
  readonly invalidate: Called;
  readonly expireAll: Called;
  readonly invalidateAll: Called;
  readonly resetEntireStore: Called;
  /** The shown value of an endpoint, with optimistic changes. */
  readonly shown: (...args: Args) => unknown;
  /** The shown value of an entity or another queryable. */
  readonly get: (schema: unknown, args?: object) => unknown;
  /** Whether the value of an endpoint is valid, invalid, or stale. */
  readonly status: (...args: Args) => unknown;
  readonly error: (...args: Args) => unknown;
}
type Commands = Omit<Client, 'set' | 'shown' | 'get' | 'status' | 'error'>;
type Reads = Record<'getResponse' | 'getError', (...args: Args) => unknown>;

let made = 0;

function clientOf({ Endpoint }: Library, controller: object, state: () => Args): Client {
  const commands = controller as Commands;
  const reads = controller as Reads;
  const response = (args: Args) => Object(reads.getResponse(...args, ...state())) as Record<string, unknown>;
  return {
    fetch: async (...args) => {
      try {
        return await commands.fetch(...args);
      } finally {
        // The promise of the peer can resolve before the shown value changes.
        await new Promise((resolve) => void setImmediate(resolve));
      }
    },
    set: (schema, value) =>
      commands.setResponse(new Endpoint(async () => value, { name: `set ${++made}`, schema }), value),
    setResponse: (...args) => commands.setResponse(...args),
    invalidate: (...args) => commands.invalidate(...args),
    expireAll: (...args) => commands.expireAll(...args),
    invalidateAll: (...args) => commands.invalidateAll(...args),
    resetEntireStore: (...args) => commands.resetEntireStore(...args),
    shown: (...args) => response(args)['data'],
    status: (...args) => response(args)['expiryStatus'],
    get: (schema, args) => response([new Endpoint(async () => args, { name: 'get', schema }), args])['data'],
    error: (...args) => reads.getError(...args, ...state()),
  };
}

type Send = (action: unknown) => Promise<void>;
type Network = (api: { readonly getState: () => unknown; readonly dispatch: Send }) => (next: Send) => Send;

/** A client of the peer: its controller, its network and its reducer, without a framework. */
export function peerClient(library: Library): Client {
  const controller = new PeerController();
  const reducer = createReducer(controller as never) as (state: unknown, action: unknown) => typeof initialState;
  let state = initialState;
  const [network] = applyManager([new NetworkManager() as never], controller as never) as unknown as [Network];
  const send: Send = network({ getState: () => state, dispatch: (action) => send(action) })(async (action) => {
    state = reducer(state, action);
  });
  return clientOf(library, controller, () => [state.optimistic.reduce(reducer, state)]);
}

export function ourClient(library: Library): Client {
  return clientOf(library, new Controller(), () => []);
}
