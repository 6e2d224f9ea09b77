import type { Store } from '../../state/store/store.ts';
import type { Answer } from '../view/answer.ts';

/** A reader on a screen, as developer tools see it. */
export interface InspectedReader {
  readonly view: object;
}

/** Callbacks by which developer tools follow the screens of a store. */
export interface Inspector {
  /** Called when a hook reads, during the render of its component. */
  noteRender(reader: InspectedReader): void;
  /** Called when the rendered state is on the screen. */
  noteShown(reader: InspectedReader, answer: Answer): void;
}

const inspectors = new WeakMap<Store, Inspector>();

/** Calls an inspector for the screens of a store from now on, in place of the one before. Returns a function that stops it. */
export function inspect(store: Store, inspector: Inspector): () => void {
  inspectors.set(store, inspector);
  return () => {
    if (inspectors.get(store) === inspector) inspectors.delete(store);
  };
}

export function inspectorOf(store: Store): Inspector | undefined {
  return inspectors.get(store);
}
