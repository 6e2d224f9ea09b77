import { useState } from 'react';
import { keyOf } from 'rejoin';
import { useSuspense } from 'rejoin/react';
import { Person } from '../../shell/person.tsx';
import { posts, type User, users } from './model.ts';

export function ReversePage() {
  const articles = useSuspense(posts.getList);
  // Users with the most posts come first.
  const authors = [...new Set(articles.map(({ author }) => author))].toSorted((a, b) => written(b) - written(a));
  const [chosen, setChosen] = useState(authors[0]?.id);
  return (
    <div className="stack">
      <label className="row">
        Everything written by
        <select className="field" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {authors.map((author) => (
            <option key={keyOf(author)} value={author.id}>
              {author.name}
            </option>
          ))}
        </select>
      </label>
      {chosen !== undefined && <Written id={chosen} />}
    </div>
  );
}

// The answer of `GET /users/:id` contains only the name; the lists come from the posts that were fetched before.
function Written({ id }: { readonly id: string }) {
  const user = useSuspense(users.get, { id });
  return (
    <article className="card stack">
      <h2>
        <Person id={user.id} name={user.name} />
      </h2>
      <section className="stack tight">
        <h3 className="soft">{count(user.posts, 'post')}</h3>
        <ul className="lines">
          {user.posts.map((post) => (
            <li key={keyOf(post)}>{post.title}</li>
          ))}
        </ul>
      </section>
      <section className="stack tight">
        <h3 className="soft">{count(user.comments, 'comment')}</h3>
        <ul className="lines">
          {user.comments.map((comment) => (
            <li key={keyOf(comment)}>
              {comment.content} <span className="soft">on “{comment.post.title}”</span>
            </li>
          ))}
        </ul>
      </section>
    </article>
  );
}

const written = ({ posts: own, comments }: User): number => own.length + comments.length;

const count = (list: readonly unknown[], what: string): string =>
  `${list.length} ${what}${list.length === 1 ? '' : 's'}, found from the other side`;
