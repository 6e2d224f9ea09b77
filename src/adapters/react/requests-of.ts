import type { Controller } from '../../control/controller/controller.ts';
import { Requests } from '../../control/view/requests.ts';

const requests = new WeakMap<Controller, Requests>();

/** What has been asked for through a controller. It outlives components that were rendered in vain. */
export function requestsOf(controller: Controller): Requests {
  const known = requests.get(controller) ?? new Requests(controller);
  requests.set(controller, known);
  return known;
}

const filled = new WeakMap<Controller, Set<unknown>>();

/** Has a controller filled, once. */
export function fillOnce(controller: Controller, fill: ((controller: Controller) => void) | undefined): void {
  if (fill === undefined) return;
  const fills = filled.get(controller) ?? new Set();
  if (fills.has(fill)) return;
  filled.set(controller, fills.add(fill));
  fill(controller);
}
