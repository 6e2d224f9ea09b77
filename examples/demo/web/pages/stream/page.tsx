import { useLive, useSuspense } from 'rejoin/react';
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
        <h2>{stream.username}</h2>
        <span className={`chip ${stream.live ? 'accent' : ''}`}>{stream.live ? 'live' : 'off air'}</span>
      </div>
      <p>{stream.title}</p>
      <p className="soft small num">
        {stream.game} · {stream.currentViewers.toLocaleString('en')} watching
      </p>
    </article>
  );
}
