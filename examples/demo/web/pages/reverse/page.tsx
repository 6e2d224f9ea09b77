import { useState } from 'react';
import { useSuspense } from 'rejoin/react';
import { posts, users } from './model.ts';

export function ReversePage() {
  const articles = useSuspense(posts.getList);
  const authors = [...new Set(articles.map(({ author }) => author))];
  const [chosen, setChosen] = useState(authors[0]?.id);
  return (
    <div className="stack">
      <label className="row">
        Everything written by
        <select className="field" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {authors.map((author) => (
            <option key={author.pk()} value={author.id}>
              {author.name}
            </option>
          ))}
        </select>
      </label>
      {chosen !== undefined && <Written id={chosen} />}
    </div>
  );
}

// `GET /users/:id` answers a name only; the lists come from the posts that were fetched before.
function Written({ id }: { readonly id: string }) {
  const user = useSuspense(users.get, { id });
  return (
    <div className="grid">
      <section className="card stack">
        <h2>Posts of {user.name}</h2>
        <ul className="lines small">
          {user.posts.map((post) => (
            <li key={post.pk()}>{post.title}</li>
          ))}
        </ul>
      </section>
      <section className="card stack">
        <h2>Comments of {user.name}</h2>
        <ul className="lines small">
          {user.comments.map((comment) => (
            <li key={comment.pk()}>
              {comment.content} <span className="soft">on “{comment.post.title}”</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
