import type { Controller } from '../controller/controller.ts';
import { type Fixture, type Interceptor, isFixture } from './fixture.ts';

/** Fills a controller with fixtures before the first read. */
export type InitialState = (controller: Controller) => void;

/** Returns the state after all requests of these fixtures were answered. Interceptors are ignored. */
export function mockInitialState(fixtures: readonly (Fixture | Interceptor)[] = []): InitialState {
  return (controller) => {
    for (const one of fixtures) if (isFixture(one)) void storeAnswer(controller, one);
  };
}

async function storeAnswer(controller: Controller, { endpoint, args, response, error }: Fixture): Promise<void> {
  try {
    await controller.resolve(endpoint, { args, response, fetchedAt: controller.now(), error: error === true });
  } catch (refused) {
    // Reading it throws an error that says why there is no data.
    await controller.setError(endpoint, ...args, refused);
  }
}
