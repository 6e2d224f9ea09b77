import { type FormEvent, useState } from 'react';
import { useController, useSuspense } from 'rejoin/react';
import { type Post, posts, type User, users } from './model.ts';

export function PostsPage() {
  const list = useSuspense(posts.getList);
  return (
    <div className="stack">
      {list.slice(0, 8).map((post) => (
        <PostCard key={post.pk()} post={post} />
      ))}
    </div>
  );
}

function PostCard({ post }: { readonly post: Post }) {
  return (
    <article className="card stack">
      <div className="row apart">
        <h2>{post.title}</h2>
        <Author author={post.author} />
      </div>
      <ul className="lines small">
        {post.comments.map((comment) => (
          <li key={comment.pk()}>
            <strong>{comment.commenter.name}</strong> <span className="soft">{comment.content}</span>
          </li>
        ))}
      </ul>
    </article>
  );
}

// One user is one object: renamed here, they are renamed under every post and comment.
function Author({ author }: { readonly author: User }) {
  const controller = useController();
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <button type="button" className="button quiet" onClick={() => setName(author.name)}>
        by {author.name} <span className="chip">rename</span>
      </button>
    );
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setName(undefined);
    controller.fetch(users.partialUpdate, { id: author.id }, { name }).catch(() => {});
  };
  return (
    <form className="row" onSubmit={onSubmit}>
      <label>
        <span className="visually-hidden">New name of {author.name}</span>
        <input className="field" value={name} onChange={(event) => setName(event.target.value)} required />
      </label>
      <button type="submit" className="button primary">
        Save
      </button>
      <button type="button" className="button quiet" onClick={() => setName(undefined)}>
        Cancel
      </button>
    </form>
  );
}
