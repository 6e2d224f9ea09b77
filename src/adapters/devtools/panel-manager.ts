import { type Manager, type Middleware, NO_CONTROLLER } from '../../control/controller/manager.ts';
import { Journal } from './journal.ts';
import { Panel } from './panel.ts';

export interface DevtoolsOptions {
  /** Where its button and its panel are put. Default: the body of the page. */
  readonly target?: Element;
  /**
   * Parts of the names of fields whose values are left out of an exported session, beside those of passwords, tokens, keys and cookies.
   */
  readonly secrets?: readonly string[];
}

/**
 * A panel on the page with the tables of a controller, its model, requests and commits, and with why each component was rendered:
 * `recommended({ devToolsManager: new Devtools() })`. It shows nothing where there is no page.
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
