import { type Platform, platform } from '../../std/platform.ts';
import { dehydrate } from '../../state/hydrate/dehydrate.ts';
import { hydrate } from '../../state/hydrate/hydrate.ts';
import { type Action, actionTypes } from '../controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../controller/manager.ts';
import { describeAction } from './devtools-action.ts';
import {
  withShiftedTimes,
  type DevToolsCommands,
  type DevToolsConnection,
  type DevToolsExtension,
  runCommand,
} from './devtools-extension.ts';
import { assertAboveZero } from '../controller/assert-above-zero.ts';
import { elapsed } from '../../std/elapsed.ts';
import { isDevelopment } from '../../std/development.ts';

/** The options of `DevToolsManager`. */
export interface DevToolsConfig {
  /** The extension to connect to. Default: the installed browser extension; none in production. */
  readonly extension?: DevToolsExtension;
  /** The name of this store in the monitor. */
  readonly name?: string;
  /** How many actions the monitor keeps, and how many are kept for it until it is opened. Default: 100. */
  readonly maxAge?: number;
  /** The largest number of messages per second. Actions in between share a message. Default: 20. */
  readonly perSecond?: number;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout'>;
  /** Further options of the extension, passed to its `connect`. */
  readonly [option: string]: unknown;
}

/** The features of the monitor that work without replaying actions. */
const FEATURES = { pause: true, jump: true, export: true, import: 'custom' };
/** This many milliseconds of work count as one message. */
const WORK = 5;

/** Shows actions and states in the Redux DevTools, and can put the store back into any of those states. */
export class DevToolsManager implements Manager {
  readonly #config: DevToolsConfig;
  readonly #skip: (action: Action) => boolean;
  readonly #platform: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout'>;
  readonly #maxAge: number;
  readonly #perSecond: number;
  /** Actions that have not been sent to the monitor. */
  readonly #waiting: object[] = [];
  /** How many actions were dropped from `#waiting`. */
  #leftOut = 0;
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #connection: DevToolsConnection | undefined;
  #stopListening: (() => void) | undefined;
  #timer: unknown;
  /** How many messages may be sent now. Grows with time. */
  #allowance: number;
  #countedAt: number;
  #isOpen = false;
  #isPaused = false;

  constructor(config: DevToolsConfig = {}, skipLogging: (action: Action) => boolean = () => false) {
    this.#config = config;
    this.#skip = skipLogging;
    this.#platform = config.platform ?? platform;
    this.#maxAge = config.maxAge ?? 100;
    this.#perSecond = config.perSecond ?? 20;
    assertAboveZero('a DevToolsManager', { maxAge: this.#maxAge, perSecond: this.#perSecond });
    this.#allowance = this.#perSecond;
    this.#countedAt = this.#platform.now();
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => async (action) => {
      // A fetch lasts as long as its request. It is shown when it starts.
      if (action.type === actionTypes.FETCH) this.#note(action);
      try {
        await next(action);
      } finally {
        if (action.type !== actionTypes.FETCH) this.#note(action);
      }
    };
  };

  init(): void {
    // The monitor of a former controller would change the present one.
    this.cleanup();
    const { extension = isDevelopment() ? installedExtension() : undefined, platform: _, ...options } = this.#config;
    if (extension === undefined) return;
    const settings = { name: 'Rejoin', maxAge: this.#maxAge, features: FEATURES, ...options };
    this.#connection = extension.connect(settings);
    this.#show();
    this.#stopListening = this.#connection.subscribe((message) => {
      runCommand(this.#commands, message).catch((error: unknown) => this.#connection?.error?.(String(error)));
    });
  }

  cleanup(): void {
    this.#stopTimer();
    this.#stopListening?.();
    this.#connection?.unsubscribe?.();
    this.#connection = undefined;
    this.#forget();
  }

  #note(action: Action): void {
    if (this.#connection === undefined || this.#isPaused || isTravel(action) || this.#skip(action)) return;
    // Actions of the former user are not kept for a monitor that is opened later.
    if (action.type === actionTypes.RESET && !this.#isOpen) this.#forget();
    this.#waiting.push(describeAction(action));
    if (this.#waiting.length > this.#maxAge) {
      this.#waiting.shift();
      this.#leftOut++;
    }
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (!this.#isOpen || this.#timer !== undefined || this.#waiting.length === 0) return;
    const now = this.#platform.now();
    const passed = elapsed(this.#countedAt, now) ?? 0;
    this.#allowance = Math.min(Math.max(1, this.#perSecond), this.#allowance + (passed * this.#perSecond) / 1000);
    this.#countedAt = now;
    if (this.#allowance >= 1) return this.#flush();
    const wait = ((1 - this.#allowance) * 1000) / this.#perSecond;
    this.#timer = this.#platform.setTimeout(() => {
      this.#timer = undefined;
      this.#flushSoon();
    }, Math.ceil(wait));
  }

  #flush(): void {
    const actions = [...this.#waiting];
    const leftOut = this.#leftOut;
    const [only = {}] = actions;
    const action = actions.length === 1 ? only : { type: `${actions.length + leftOut} actions`, actions, leftOut };
    this.#forget();
    const begun = this.#platform.now();
    this.#withConnection((connection) => connection.send(action, this.#state()));
    this.#allowance -= 1 + Math.max(0, this.#platform.now() - begun) / WORK;
  }

  #forget(): void {
    this.#waiting.length = 0;
    this.#leftOut = 0;
  }

  #show(): void {
    this.#withConnection((connection) => connection.init(this.#state()));
  }

  /** An error in the monitor must not make the application fail. */
  #withConnection(run: (connection: DevToolsConnection) => void): void {
    const connection = this.#connection;
    try {
      if (connection !== undefined) run(connection);
    } catch (error) {
      connection?.error?.(String(error));
    }
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#platform.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #state(): unknown {
    const { store, now } = this.#controller;
    return { ...dehydrate(store), at: now() };
  }

  /** Restores a state in one commit. Answers of requests in flight are ignored, as after a reset. */
  async #restoreState(state: unknown): Promise<void> {
    const controller = this.#controller;
    const then = withShiftedTimes(state, controller.now());
    const action: Action = { type: actionTypes.RESET, fill: () => hydrate(controller.store, then) };
    await controller.dispatch(action);
  }

  readonly #commands: DevToolsCommands = {
    open: (isOpen) => {
      this.#isOpen = isOpen;
      this.#flushSoon();
    },
    reset: async () => {
      await this.#controller.resetEntireStore();
      this.#commands.commit();
    },
    commit: () => {
      this.#forget();
      this.#show();
    },
    rollback: async (state) => {
      await this.#restoreState(state);
      this.#commands.commit();
    },
    jump: (state) => this.#restoreState(state),
    pause: (isPaused) => {
      this.#isPaused = isPaused;
    },
    import: async (state, lifted) => {
      await this.#restoreState(state);
      this.#withConnection((connection) => connection.send(null, lifted));
    },
  };
}

function isTravel(action: Action): boolean {
  return action.type === actionTypes.RESET && action.fill !== undefined;
}

function installedExtension(): DevToolsExtension | undefined {
  return (globalThis as Readonly<Record<string, unknown>>)['__REDUX_DEVTOOLS_EXTENSION__'] as
    | DevToolsExtension
    | undefined;
}
