import { useState } from 'react';
import { useController, useSuspense } from 'rejoin/react';
import { getPost, vote } from './model.ts';

interface Press {
  readonly at: number;
  readonly state: 'pending' | 'counted' | 'refused';
}

const CHIPS = { pending: 'warm', counted: 'accent', refused: 'bad' };

export function RacesPage() {
  const controller = useController();
  const post = useSuspense(getPost, { id: '1' });
  const [presses, setPresses] = useState<readonly Press[]>([]);
  const press = (): void => {
    const at = presses.length + 1;
    const settle = (state: Press['state']) => (): void =>
      setPresses((before) => before.map((one) => (one.at === at ? { at, state } : one)));
    setPresses([...presses, { at, state: 'pending' }]);
    controller.fetch(vote, { id: '1' }).then(settle('counted'), settle('refused'));
  };
  const count = (state: Press['state']): number => presses.filter((one) => one.state === state).length;
  return (
    <div className="stack">
      <article className="card stack">
        <h2>{post.title}</h2>
        <p>
          <span className="big num" data-testid="votes">
            {post.votes}
          </span>{' '}
          votes
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
            Fetch it again, in the middle
          </button>
        </div>
        <p className="soft num" role="status">
          {count('pending')} pending, {count('counted')} counted, {count('refused')} refused
        </p>
      </article>
      <ol className="row" aria-label="Presses">
        {presses.map(({ at, state }) => (
          <li key={at} className={`chip ${CHIPS[state]}`}>
            {at} {state}
          </li>
        ))}
      </ol>
    </div>
  );
}
