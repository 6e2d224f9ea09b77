import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useController, useSuspense } from 'rejoin/react';
import { getPost, vote } from './model.ts';

interface Press {
  readonly at: number;
  readonly state: 'pending' | 'counted' | 'failed';
  readonly from: number;
  readonly to?: number;
}

export function RacesPage() {
  const controller = useController();
  const post = useSuspense(getPost, { id: '1' });
  const [presses, setPresses] = useState<readonly Press[]>([]);
  const pressed = useRef(0);
  const press = (): void => {
    const at = ++pressed.current;
    const settle = (state: Press['state']) => (): void =>
      setPresses((before) => before.map((one) => (one.at === at ? { ...one, state, to: performance.now() } : one)));
    const made = { at, state: 'pending', from: performance.now() } as const;
    setPresses((before) => [...before, made]);
    controller.fetch(vote, { id: '1' }).then(settle('counted'), settle('failed'));
  };
  const count = (state: Press['state']): number => presses.filter((one) => one.state === state).length;
  return (
    <div className="stack">
      <article className="card stack">
        <div className="row apart">
          <h2>{post.title}</h2>
          <p className="soft num small" role="status">
            {count('pending')} pending, {count('counted')} counted, {count('failed')} failed
          </p>
        </div>
        <p>
          <span className="big num" data-testid="votes">
            {post.votes}
          </span>{' '}
          votes
          {count('pending') > 0 && <span className="soft">, {count('pending')} of them not saved yet</span>}
        </p>
        <div className="row">
          <button type="button" className="button primary" onClick={press}>
            Vote
          </button>
          <button
            type="button"
            className="button"
            onClick={() => void controller.fetch(getPost, { id: '1' }).catch(() => {})}
          >
            Fetch the post now
          </button>
        </div>
      </article>
      <section className="card stack">
        <h2>Duration of each vote</h2>
        <Lanes presses={presses.slice(-8)} />
      </section>
    </div>
  );
}

/** A bar from the click to the answer of each vote. It shows which answers overtook others. */
function Lanes({ presses }: { readonly presses: readonly Press[] }) {
  const now = useNow(presses.some(({ to }) => to === undefined));
  const first = presses[0]?.from ?? 0;
  const span = Math.max(500, ...presses.map(({ from, to }) => (to ?? Math.max(now, from)) - first));
  return (
    <ol className="lanes" aria-label="Votes">
      {presses.length === 0 && (
        <li className="soft" style={{ display: 'block' }}>
          Choose “answers in any order” for the network, and vote a few times.
        </li>
      )}
      {presses.map(({ at, state, from, to }) => {
        const style: CSSProperties = {
          left: `${((from - first) / span) * 100}%`,
          width: `${(((to ?? Math.max(now, from)) - from) / span) * 100}%`,
        };
        return (
          <li key={at} className={state}>
            <span className="soft num">{at}</span>
            <span className="way">
              <span style={style} />
            </span>
            <span>{state}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** The present time in each frame while a vote is in flight. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    let frame = requestAnimationFrame(function next(time) {
      setNow(time);
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isRunning]);
  return now;
}
