import { useState } from 'react';
import { useSuspense } from 'rejoin/react';
import { getMember } from './model.ts';

const MEMBERS = ['1', '2', '3', '4', '5', '6'];
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

export function CircularPage() {
  const [id, setId] = useState('1');
  return (
    <div className="stack">
      <div className="row" role="group" aria-label="Member">
        {MEMBERS.map((member) => (
          <button
            key={member}
            type="button"
            className="button"
            aria-pressed={member === id}
            onClick={() => setId(member)}
          >
            {member}
          </button>
        ))}
      </div>
      <Member id={id} />
    </div>
  );
}

function Member({ id }: { readonly id: string }) {
  const member = useSuspense(getMember, { id });
  const comesBack = member.posts.every((post) => post.author === member);
  return (
    <article className="card stack">
      <h2>{member.name}</h2>
      <p className="soft">Member since {DAY.format(member.createdAt.epochMilliseconds)}</p>
      <ul className="lines">
        {member.posts.map((post) => (
          <li key={post.pk()}>
            {post.title}{' '}
            <span className="soft">
              by {post.author.name}, who wrote {post.author.posts.length}
            </span>
          </li>
        ))}
      </ul>
      <p className="note">
        <code>post.author === member</code> is <strong>{String(comesBack)}</strong> for every post.
      </p>
    </article>
  );
}
