import { type Manager, type Middleware, NO_CONTROLLER } from '../../control/controller/manager.ts';
import { Journal } from './journal.ts';
import { Panel } from './panel.ts';

/** The options of `Devtools`. */
export interface DevtoolsOptions {
  /** The parent element of the button and the panel. Default: the body of the page. */
  readonly target?: Element;
  /**
   * Fields whose names contain one of these texts are left out of exported sessions, in addition to passwords, tokens, keys and cookies.
   */
  readonly secrets?: readonly string[];
}

/**
 * A panel on the page. It shows the tables, model, requests and commits of a controller, and why each component was rendered:
 * `recommended({ devToolsManager: new Devtools() })`. On a server it does nothing.
 */
export class Devtools implements Manager {
  readonly #journal = new Journal();
  readonly #options: DevtoolsOptions;
  #panel: Panel | undefined;
  #stop: (() => void) | undefined;

  constructor(options: DevtoolsOptions = {}) {
    this.#options = options;
  }

  readonly middleware: Middleware = (controller) => {
    this.#journal.controller = controller;
    return (next) => (action) => this.#journal.pass(action, next);
  };

  init(): void {
    if (typeof document === 'undefined' || this.#journal.controller === NO_CONTROLLER) return;
    this.cleanup();
    this.#stop = this.#journal.start();
    const { secrets = [], target = document.body } = this.#options;
    this.#panel = new Panel(this.#journal, secrets);
    target.append(this.#panel.element);
  }

  cleanup(): void {
    this.#stop?.();
    this.#panel?.remove();
  }
}
