import { Entity } from '../../define/schema/entity.ts';
import { Store } from '../../state/store/store.ts';

/** What browsers have: on a server, nothing waits for the first answer of a page. */
interface IdleCallbacks {
  requestIdleCallback?(run: () => void): unknown;
}

/**
 * Writes and reads two records in a store of its own when the page is idle, if `isWaiting` then. Browsers compile a function when it is
 * first called, which would be when the first answer is there.
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
  // A record that is there already is combined with what comes.
  store.write(Sample, { id: '2', parts: [] });
}
