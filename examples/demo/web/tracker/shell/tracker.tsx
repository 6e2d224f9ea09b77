import { lazy, useEffect, useState } from 'react';
import type { Controller } from 'rejoin';
import { AsyncBoundary, useController } from 'rejoin/react';
import type { Simulation } from '../../net/simulation.ts';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { onNavigation } from '../../shell/router.ts';
import { TopBar } from '../../shell/top-bar.tsx';
import { CompareCode, CompareStrip } from './compare.tsx';
import { counters, type Side, SideContext } from './counters.ts';
import { Help } from './help.tsx';
import { issue, list, type Screen } from './screens.ts';
import { Trick } from './trick.tsx';

const TanstackRoot = lazy(async () => ({ default: (await import('./tanstack-root.tsx')).TanstackRoot }));

interface Props {
  readonly path: string;
  readonly screen: Screen | undefined;
  readonly simulation: Simulation;
}

/** The issue tracker. Each of its screens can be compared with its version with TanStack Query. */
export function Tracker({ path, screen, simulation }: Props) {
  const [isCompared, setCompared] = useState(false);
  const [side, setSide] = useState<Side>('rejoin');
  // A new number mounts the screen again.
  const [run, setRun] = useState(0);
  const controller = useController();
  useEffect(() => {
    document.title = `${screen?.title ?? 'No such page'} · Rejoin`;
  }, [screen]);
  const runOn = (next: Side): void => {
    counters.running = next;
    setSide(next);
  };
  const startOver = (): void => void emptyCaches(controller).then(() => setRun((before) => before + 1));
  const compare = (): void => {
    runOn('rejoin');
    setCompared(!isCompared);
  };
  return (
    <div className="tracker">
      <a className="skip" href="#stage">
        Skip to the page
      </a>
      <TopBar path={path} isTracker simulation={simulation}>
        <button type="button" className="button compare-button" aria-pressed={isCompared} onClick={compare}>
          Compare<span className="wide">&nbsp;with TanStack Query</span>
        </button>
        <Help onCompare={compare} />
      </TopBar>
      <main className="screen" id="stage" tabIndex={-1}>
        {screen === undefined ? (
          <Missing />
        ) : (
          <>
            <h1 className={screen === issue ? 'visually-hidden' : undefined}>{screen.title}</h1>
            {isCompared && <CompareStrip screen={screen} side={side} onRun={runOn} onStartOver={startOver} />}
            {screen === list && <Trick simulation={simulation} />}
            <Running key={`${path} ${run}`} screen={screen} side={side} />
            {isCompared && <CompareCode screen={screen} />}
          </>
        )}
      </main>
    </div>
  );
}

/** Empties the caches of both versions. */
async function emptyCaches(controller: Controller): Promise<void> {
  const { startTanstackOver } = await import('./tanstack-root.tsx');
  startTanstackOver();
  counters.reset();
  await controller.resetEntireStore();
}

function Running({ screen, side }: { readonly screen: Screen; readonly side: Side }) {
  const { Page } = screen.versions[side];
  return (
    <SideContext value={side}>
      <div className="stack running" data-side={side}>
        <AsyncBoundary key={side} fallback={<Waiting />} errorComponent={Failure} listen={onNavigation}>
          {side === 'rejoin' ? (
            <Page />
          ) : (
            <TanstackRoot fallback={<Waiting />}>
              <Page />
            </TanstackRoot>
          )}
        </AsyncBoundary>
      </div>
    </SideContext>
  );
}

function Waiting() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <div className="skeleton" style={{ height: 44 }} />
      <div className="skeleton" style={{ height: '60dvh' }} />
    </div>
  );
}

function Missing() {
  return (
    <div className="card empty stack">
      <h1>There is no such page</h1>
      <p>
        <Link href="/">Go to the issues</Link>
      </p>
    </div>
  );
}
