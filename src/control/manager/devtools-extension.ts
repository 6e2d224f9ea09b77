/** The global of the Redux DevTools browser extension, or another implementation of its protocol. */
export interface DevToolsExtension {
  connect(options: object): DevToolsConnection;
}

/** The connection of one store to its monitor. */
export interface DevToolsConnection {
  init(state: unknown): void;
  send(action: object | null, state: unknown): void;
  /** Calls `listener` with each message of the monitor. Some extensions return an unsubscribe function. */
  subscribe(listener: (message: DevToolsMessage) => void): (() => void) | undefined;
  error?(message: string): void;
  unsubscribe?(): void;
}

/** A message of the monitor: it was opened, it was closed, or a button was clicked. */
export interface DevToolsMessage {
  readonly type: string;
  readonly payload?: unknown;
  /** The state of the action that was clicked, as JSON. */
  readonly state?: string | undefined;
}

interface Click {
  readonly type?: string;
  readonly status?: boolean;
  readonly nextLiftedState?: { readonly computedStates?: readonly { readonly state?: unknown }[] };
}

/** The commands of the monitor. */
export interface DevToolsCommands {
  open(isOpen: boolean): void;
  reset(): Promise<void>;
  commit(): void;
  rollback(state: unknown): Promise<void>;
  jump(state: unknown): Promise<void>;
  pause(isPaused: boolean): void;
  import(state: unknown, lifted: unknown): Promise<void>;
}

/** Runs the command of a message. Unknown commands are ignored, because monitors differ. */
export async function runCommand(commands: DevToolsCommands, message: DevToolsMessage): Promise<void> {
  commands.open(message.type !== 'STOP');
  if (message.type !== 'DISPATCH') return;
  const { type, status, nextLiftedState } = Object(message.payload) as Click;
  switch (type) {
    case 'RESET':
      return commands.reset();
    case 'COMMIT':
      return commands.commit();
    case 'ROLLBACK':
      return commands.rollback(stateOf(message));
    case 'JUMP_TO_ACTION':
    case 'JUMP_TO_STATE':
      return commands.jump(stateOf(message));
    case 'PAUSE_RECORDING':
      return commands.pause(status === true);
    case 'IMPORT_STATE':
      return commands.import(nextLiftedState?.computedStates?.at(-1)?.state, nextLiftedState);
    default:
  }
}

function stateOf({ state }: DevToolsMessage): unknown {
  return state === undefined ? undefined : JSON.parse(state);
}

/**
 * Shifts the times in a state by the age of the state, so that its data is as fresh as when the state was sent. Otherwise
 * the application would fetch all data of an old state again. `hydrate` checks whether the value is a state at all.
 */
export function withShiftedTimes(state: unknown, now: number): unknown {
  const { at, tables, results } = Object(state) as Readonly<Record<'at' | 'tables' | 'results', unknown>>;
  if (typeof at !== 'number' || !Array.isArray(tables) || !Array.isArray(results)) return state;
  const later = (entry: unknown): unknown => (Array.isArray(entry) ? withShiftedTimesOf(entry, now - at) : entry);
  return {
    ...(state as object),
    tables: tables.map((table: unknown) =>
      Array.isArray(table) && Array.isArray(table[1]) ? [table[0], table[1].map(later)] : table,
    ),
    results: results.map(later),
  };
}

/** Rows and results end with the same three times. The last one is the time of expiry. */
function withShiftedTimesOf(entry: readonly unknown[], by: number): unknown[] {
  const until = entry.at(-1);
  return [...entry.slice(0, -1), typeof until === 'number' ? until + by : until];
}
