import { Entity } from '../../define/schema/entity.ts';
import { Store } from '../../state/store/store.ts';

/** Only browsers have it. On a server there is no first screen to speed up. */
interface IdleCallbacks {
  requestIdleCallback?(run: () => void): unknown;
}

/**
 * Writes and reads two records in a separate store when the page is idle, if `isWaiting` still returns true. Browsers compile a function when it is
 * first called, which would otherwise be when the first answer arrives.
 */
export function warmUp(isWaiting: () => boolean): void {
  (globalThis as IdleCallbacks).requestIdleCallback?.(() => {
    if (isWaiting()) writeSamples();
  });
}

function writeSamples(): void {
  class Sample extends Entity {
    id = '';
    static override key = 'Sample';
    static override schema: Readonly<Record<string, unknown>> = { parts: [Sample] };
  }
  const store = new Store();
  store.write([Sample], [{ id: '1', parts: [{ id: '2' }] }], { resultKey: '' });
  store.resultView('').subscribe(() => {});
  // The second write also runs the code that combines rows.
  store.write(Sample, { id: '2', parts: [] });
}
