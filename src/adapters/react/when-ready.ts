import type { ReactNode } from 'react';
import type { Controller } from '../../control/controller/controller.ts';

interface WhenReadyProps {
  readonly controller: Controller;
  readonly children?: ReactNode;
}

/** Renders nothing until the managers of the controller have the data of the first screen, such as data on a disk. */
export function WhenReady({ controller: { ready }, children }: WhenReadyProps): ReactNode {
  // A promise is what React waits for, in all of its versions.
  // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
  if (ready !== undefined) throw ready;
  return children;
}
