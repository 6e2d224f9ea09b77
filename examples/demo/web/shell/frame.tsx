import { useEffect } from 'react';
import { AsyncBoundary } from 'rejoin/react';
import type { RequestLog } from '../net/request-log.ts';
import type { Simulation } from '../net/simulation.ts';
import { overview, pageAt } from '../pages/index.ts';
import { Failure } from './failure.tsx';
import { Panels } from './panels.tsx';
import { usePath } from './router.ts';
import { Side } from './side.tsx';
import { SimulationBar } from './simulation-bar.tsx';
import { Ways } from './ways.tsx';

interface Props {
  readonly log: RequestLog;
  readonly simulation: Simulation;
}

/** Navigation, the page, and beside it its source, its tables and its requests. */
export function Frame({ log, simulation }: Props) {
  const page = pageAt(usePath());
  const isAlone = page === overview;
  useEffect(() => {
    document.title = `${page.title} · Rejoin`;
  }, [page]);
  return (
    <div className={isAlone ? 'frame alone' : 'frame'}>
      <a className="skip" href="#stage">
        Skip to the page
      </a>
      <Side page={page} />
      <main className="stage" id="stage" tabIndex={-1}>
        <header>
          <h1>{page.title}</h1>
          <p className={isAlone ? 'lead' : undefined}>{page.about}</p>
        </header>
        {!isAlone && <SimulationBar simulation={simulation} />}
        <AsyncBoundary key={page.path} fallback={<Waiting />} errorComponent={Failure}>
          <page.Page />
        </AsyncBoundary>
        {isAlone && <Ways />}
      </main>
      {!isAlone && <Panels key={page.path} page={page} log={log} />}
    </div>
  );
}

function Waiting() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <div className="skeleton" style={{ height: 36, width: '60%' }} />
      <div className="skeleton" style={{ height: 132 }} />
      <div className="skeleton" style={{ height: 132 }} />
    </div>
  );
}
