import { Controller, type ControllerOptions } from '../../control/controller/controller.ts';
import { GCPolicy, type GCInterface } from '../../control/controller/gc-policy.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { getDefaultManagers } from '../../control/manager/default-managers.ts';
import type { Store } from '../../state/store/store.ts';
import { demandsOf } from '../../control/view/demands.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';
import { IS_SERVER } from './environment.ts';

export interface OwnOptions {
  /** The class of the controller. Read once. */
  readonly Controller?: (new (options: ControllerOptions) => Controller) | undefined;
  /** Default: `getDefaultManagers()`. Read once. */
  readonly managers?: readonly Manager[] | undefined;
  /** When data that no component shows is removed. Default: a `GCPolicy`. Read once. */
  readonly gcPolicy?: GCInterface | undefined;
}

/** The controller of a `<DataProvider>` without the prop `controller`. It is created at its first use, and disposed after the component is unmounted. */
export class OwnController {
  readonly #options: OwnOptions;
  readonly #store: Store | undefined;
  #controller: Controller | undefined;
  #end: ReturnType<typeof setTimeout> | undefined;
  #mounted: Deferred;
  #isDisposed = false;

  constructor(options: OwnOptions, store?: Store, mounted: Deferred = deferred()) {
    this.#options = options;
    this.#store = store;
    this.#mounted = mounted;
  }

  get controller(): Controller {
    return (this.#controller ??= this.#make());
  }

  #make(): Controller {
    if (IS_SERVER) throw serverController();
    const { Controller: Own = Controller, managers = getDefaultManagers(), gcPolicy = new GCPolicy() } = this.#options;
    const controller = new Own({ managers, gcPolicy, ...(this.#store && { store: this.#store }) });
    this.#holdBack(controller);
    return controller;
  }

  /** Lets components wait for data until the page is mounted. */
  #holdBack(controller: Controller): void {
    demandsOf(controller).pageMounted = this.#mounted.promise;
  }

  /**
   * Call it when the component is mounted. It calls `onReturn` if the controller was disposed before. It returns a function: call that one
   * when the component is unmounted.
   */
  keep(onReturn: () => void): () => void {
    clearTimeout(this.#end);
    if (this.#isDisposed) onReturn();
    else {
      demandsOf(this.controller).pageMounted = undefined;
      this.#mounted.resolve();
    }
    return () => {
      // In StrictMode, effects are removed and added again in one turn.
      this.#end = setTimeout(() => {
        this.#isDisposed = true;
        // In a hidden `Activity`, components that ask for data wait for the controller that follows.
        this.#mounted = deferred();
        this.#holdBack(this.controller);
        this.controller.dispose();
      });
    };
  }

  /** Returns a new controller over the same store, to use after this one was disposed. */
  renewed(): OwnController {
    return new OwnController(this.#options, this.#controller?.store, this.#mounted);
  }
}

function serverController(): DataError {
  return new DataError('server-controller-missing', 'A <DataProvider> without a controller was rendered on a server.', {
    cure: inDevelopment(() => 'Create a controller for each request and pass it as the prop controller.'),
  });
}
