import { Entity } from '../../define/schema/entity.ts';
import { endpointView } from '../view/endpoint-view.ts';
import type { MiddlewareAPI } from './manager.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** Only browsers have it. On a server there is no first screen to speed up. */
interface IdleCallbacks {
  requestIdleCallback?(run: () => void): unknown;
}

/**
 * Fetches a sample with a separate controller when the page is idle, if the request is not answered by then. Browsers compile a function when it is
 * first called, which would otherwise be when the first answer arrives. The request for the sample is answered before the page is idle again, so that
 * no other sample follows.
 */
export function warmUp(request: RequestInFlight, createController: () => MiddlewareAPI): void {
  (globalThis as IdleCallbacks).requestIdleCallback?.(() => {
    if (request.read === undefined && request.failure === undefined) void fetchSample(createController());
  });
}

async function fetchSample(controller: MiddlewareAPI): Promise<void> {
  class Sample extends Entity {
    id = '';
    static override key = 'Sample';
    static override schema: Readonly<Record<string, unknown>> = { parts: [Sample] };
  }
  const answer = [{ id: '1', parts: [{ id: '2' }] }];
  const getSamples = Object.assign(async () => answer, { key: () => '', testKey: () => true, schema: [Sample] });
  const view = endpointView(controller.responses, getSamples, []);
  view.subscribe(() => {});
  await controller.fetch(getSamples);
  view.current();
  // The second write also runs the code that combines rows.
  controller.store.write(Sample, { id: '2', parts: [] });
}
