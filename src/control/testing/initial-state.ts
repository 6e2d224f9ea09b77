import type { Controller } from '../controller/controller.ts';
import { type Fixture, type Interceptor, isFixture } from './fixture.ts';

/** Fills a controller before anybody reads of it. */
export type InitialState = (controller: Controller) => void;

/** The state of an application whose requests have been answered with these fixtures. Interceptors have no part in it. */
export function mockInitialState(fixtures: readonly (Fixture | Interceptor)[] = []): InitialState {
  return (controller) => {
    for (const one of fixtures) if (isFixture(one)) void answered(controller, one);
  };
}

async function answered(controller: Controller, { endpoint, args, response, error }: Fixture): Promise<void> {
  try {
    await controller.resolve(endpoint, { args, response, fetchedAt: controller.now(), error: error === true });
  } catch (refused) {
    // A read of it throws an error that says why there is no data.
    await controller.setError(endpoint, ...args, refused);
  }
}
