import { createElement, type ReactNode, useMemo, useState } from 'react';
import type { FixtureOptions } from '../../control/testing/fixture.ts';
import { Fixtures } from '../../control/testing/fixtures.ts';
import { withFixtures } from '../../control/testing/with-fixtures.ts';
import { ControllerContext, useController } from '../react/controller-context.ts';

/** The props of `MockResolver`. */
export interface MockResolverProps<Data = unknown> extends FixtureOptions<Data> {
  readonly children?: ReactNode;
}

/** Answers requests of the components below with its fixtures. Requests that no fixture matches go to the network of the provider. */
export function MockResolver<Data>({
  children,
  fixtures = NONE,
  getInitialInterceptorData,
}: MockResolverProps<Data>): ReactNode {
  const controller = useController();
  const [server] = useState(() => new Fixtures({ ...(getInitialInterceptorData && { getInitialInterceptorData }) }));
  // New fixtures apply to later requests. Earlier answers stay.
  useMemo(() => server.use(fixtures), [server, fixtures]);
  const value = useMemo(() => withFixtures(controller, server), [controller, server]);
  return createElement(ControllerContext.Provider, { value }, children);
}

const NONE: readonly never[] = [];
