import type { Simulation } from '../net/simulation.ts';
import { pageAt } from '../pages/index.ts';
import { screenAt } from '../tracker/shell/screens.ts';
import { Tracker } from '../tracker/shell/tracker.tsx';
import { Frame } from './frame.tsx';
import { usePath } from './router.ts';

/** The issue tracker, and the pages that show how it works. */
export function Demo({ simulation }: { readonly simulation: Simulation }) {
  const path = usePath();
  const page = pageAt(path);
  if (page !== undefined) return <Frame page={page} simulation={simulation} />;
  return <Tracker path={path} screen={screenAt(path)} simulation={simulation} />;
}
