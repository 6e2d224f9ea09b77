import { Entity } from '../../define/schema/entity.ts';
import { endpointView } from '../view/endpoint-view.ts';
import type { MiddlewareAPI } from './manager.ts';
import type { RequestInFlight } from './request-in-flight.ts';

class Sample extends Entity {
  id = '';
  static override key = 'Sample';
  static override schema: Readonly<Record<string, unknown>> = { parts: [Sample] };
}

const SAMPLE = { id: '1', parts: [{ id: '2' }] };
const sampleEndpoint = (name: string) => ({ key: () => name, testKey: (key: string) => key === name });

/**
 * Runs the library with a sample while the page is idle, because browsers compile a function when it is first called, which would otherwise be when
 * the first answer arrives and when the user makes the first change. The sample has a controller and a store of its own.
 *
 * Does nothing if `request`, the first of the application, is answered before the page is idle. The requests of
 * the sample are always answered before that, so that they start no other sample.
 */
export function warmUp(request: RequestInFlight, createController: () => MiddlewareAPI): void {
  whenIdle(() => {
    if (request.read !== undefined || request.failure !== undefined) return;
    const controller = createController();
    void fetchSample(controller);
    whenIdle(() => void changeSample(controller));
  });
}

/** Only browsers have idle callbacks. On a server there is no screen to speed up. */
function whenIdle(run: () => void): void {
  (globalThis as { requestIdleCallback?(run: () => void): unknown }).requestIdleCallback?.(run);
}

async function fetchSample(controller: MiddlewareAPI): Promise<void> {
  const getSamples = Object.assign(async () => [SAMPLE], { ...sampleEndpoint('samples'), schema: [Sample] });
  const view = endpointView(controller.responses, getSamples, []);
  view.subscribe(() => {});
  await controller.fetch(getSamples);
  view.current();
}

async function changeSample(controller: MiddlewareAPI): Promise<void> {
  const changeOne = Object.assign(async (changed: object) => changed, {
    ...sampleEndpoint('sample'),
    schema: Sample,
    sideEffect: true as const,
    getOptimisticResponse: (_snapshot: unknown, changed: object) => changed,
  });
  await controller.fetch(changeOne, SAMPLE);
}
