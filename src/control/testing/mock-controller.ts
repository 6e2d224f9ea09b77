import { DataError } from '../../std/data-error.ts';
import { Controller, type ControllerOptions } from '../controller/controller.ts';
import type { FixtureOptions } from './fixture.ts';
import { Fixtures } from './fixtures.ts';

/** The options of `MockController`. */
export type MockControllerOptions<Data = unknown> = ControllerOptions & FixtureOptions<Data>;

/** A controller without a network: fixtures answer, and a request that none of them matches fails. */
export class MockController<Data = unknown> extends Controller {
  constructor({
    fixtures = [],
    getInitialInterceptorData,
    managers = [],
    ...options
  }: MockControllerOptions<Data> = {}) {
    const server = new Fixtures(
      { fixtures, ...(getInitialInterceptorData && { getInitialInterceptorData }) },
      fixtureMissing,
    );
    // Comes first, because a manager of the application may send requests too.
    super({ ...options, managers: [server, ...managers] });
  }
}

function fixtureMissing(key: string): DataError {
  return new DataError(
    'fixture-missing',
    `No fixture answers ${key}. Add one with this endpoint and these args, or an interceptor for the endpoint.`,
  );
}
