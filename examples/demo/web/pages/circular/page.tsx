import { useState } from 'react';
import { keyOf } from 'rejoin';
import { useQuery, useSuspense } from 'rejoin/react';
import { Choice } from '../../shell/choice.tsx';
import { Person } from '../../shell/person.tsx';
import { getMember, getNames, getShelf, postsOfShelf } from './model.ts';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

export function CircularPage() {
  const names = useSuspense(getNames, { perPage: 5 });
  const [id, setId] = useState('1');
  return (
    <div className="stack">
      <div>
        <Choice
          label="Member"
          options={names.map(({ id: value, name: text }) => ({ value, text }))}
          chosen={id}
          onChoose={setId}
        />
      </div>
      <Member id={id} />
      <Shelf key={id} id={id} />
    </div>
  );
}

function Member({ id }: { readonly id: string }) {
  const member = useSuspense(getMember, { id });
  const comesBack = member.posts.every((post) => post.author === member);
  return (
    <article className="card stack">
      <div className="row apart">
        <h2>
          <Person id={member.id} name={member.name} />
        </h2>
        <span className="soft small">member since {DAY.format(member.createdAt.epochMilliseconds)}</span>
      </div>
      <p className="note">
        <code>post.author === member</code> is <strong>{String(comesBack)}</strong> for every post.
      </p>
      <ul className="lines">
        {member.posts.map((post) => (
          <li key={keyOf(post)}>
            {post.title}{' '}
            <span className="soft small">
              by {post.author.name}, who wrote {post.author.posts.length}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

// This component reads only pks, so changes of the posts do not render it.
function Shelf({ id }: { readonly id: string }) {
  const { posts } = useSuspense(getShelf, { id });
  const [isJoined, setJoined] = useState(false);
  return (
    <section className="card stack" aria-label="The same relation with Lazy">
      <div className="row apart">
        <h2>The same relation with Lazy</h2>
        <button type="button" className="button tiny" aria-pressed={isJoined} onClick={() => setJoined(!isJoined)}>
          {isJoined ? 'Hide the posts' : 'Show the posts'}
        </button>
      </div>
      {isJoined ? (
        <Joined posts={posts} />
      ) : (
        <p className="mono small" style={{ overflowWrap: 'anywhere' }}>
          shelf.posts = [{posts.join(', ')}]
        </p>
      )}
    </section>
  );
}

function Joined({ posts }: { readonly posts: string[] }) {
  const list = useQuery(postsOfShelf, posts) ?? [];
  return (
    <ul className="lines">
      {list.map((post) => (
        <li key={keyOf(post)}>{post.title}</li>
      ))}
    </ul>
  );
}
