import { createElement, type ReactNode, useMemo, useState } from 'react';
import type { FixtureOptions } from '../../control/testing/fixture.ts';
import { Fixtures } from '../../control/testing/fixtures.ts';
import { withFixtures } from '../../control/testing/with-fixtures.ts';
import { ControllerContext, useController } from '../react/controller-context.ts';

export interface MockResolverProps<Data = unknown> extends FixtureOptions<Data> {
  readonly children?: ReactNode;
}

/** Answers, for what is below it, the requests that its fixtures know of. All others go on to the provider's network. */
export function MockResolver<Data>({
  children,
  fixtures = NONE,
  getInitialInterceptorData,
}: MockResolverProps<Data>): ReactNode {
  const controller = useController();
  const [server] = useState(() => new Fixtures({ ...(getInitialInterceptorData && { getInitialInterceptorData }) }));
  // Requests to come are answered by the new ones; what has been answered stays.
  useMemo(() => server.use(fixtures), [server, fixtures]);
  const value = useMemo(() => withFixtures(controller, server), [controller, server]);
  return createElement(ControllerContext.Provider, { value }, children);
}

const NONE: readonly never[] = [];
