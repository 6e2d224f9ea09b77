import { useLive, useSuspense } from 'rejoin/react';
import { Person } from '../../shell/person.tsx';
import { Sparkline } from '../../shell/sparkline.tsx';
import { getStream, getUsernames } from './model.ts';

export function StreamPage() {
  const usernames = useSuspense(getUsernames);
  return (
    <div className="grid">
      {usernames.map((username) => (
        <StreamCard key={username} username={username} />
      ))}
    </div>
  );
}

function StreamCard({ username }: { readonly username: string }) {
  const stream = useLive(getStream, { username });
  return (
    <article className="card stack">
      <div className="row apart">
        <h2>
          <Person id={stream.username} name={stream.username} />
        </h2>
        <span className={`chip ${stream.live ? 'accent dot' : ''}`}>{stream.live ? 'live' : 'off air'}</span>
      </div>
      <div>
        <p>{stream.title}</p>
        <p className="soft small num">
          {stream.game} · {stream.currentViewers.toLocaleString('en')} watching
        </p>
      </div>
      <Sparkline value={stream.currentViewers} moment={stream.currentViewers} />
    </article>
  );
}
