import { useEffect } from 'react';
import { AsyncBoundary } from 'rejoin/react';
import type { Simulation } from '../net/simulation.ts';
import { type DemoPage, overview } from '../pages/index.ts';
import { CodePanel } from './code-panel.tsx';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';
import { Side } from './side.tsx';
import { TopBar } from './top-bar.tsx';
import { Ways } from './ways.tsx';

interface Props {
  readonly page: DemoPage;
  readonly simulation: Simulation;
}

/** The navigation, the page, and the source of the page beside it. */
export function Frame({ page, simulation }: Props) {
  const isAlone = page === overview;
  useEffect(() => {
    document.title = `${page.title} · Rejoin`;
  }, [page]);
  return (
    <div className={isAlone ? 'frame alone' : 'frame'}>
      <a className="skip" href="#stage">
        Skip to the page
      </a>
      <TopBar path={page.path} isTracker={false} simulation={simulation} />
      <Side page={page} />
      <main className="stage" id="stage" tabIndex={-1}>
        <header>
          <h1>{page.title}</h1>
          <p className={isAlone ? 'lead' : undefined}>{page.about}</p>
        </header>
        <AsyncBoundary key={page.path} fallback={<Loading />} errorComponent={Failure}>
          <page.Page />
        </AsyncBoundary>
        {isAlone && <Ways />}
      </main>
      {!isAlone && (
        <aside className="panels" aria-label="Source of the page" tabIndex={0}>
          <CodePanel files={page.files} />
        </aside>
      )}
    </div>
  );
}
