import { type FormEvent, useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useSuspense } from 'rejoin/react';
import { Person } from '../../shell/person.tsx';
import { type Post, posts, type User, users } from './model.ts';

export function PostsPage() {
  const list = useSuspense(posts.getList);
  return (
    <div className="stack">
      {list.slice(0, 8).map((post) => (
        <PostCard key={keyOf(post)} post={post} />
      ))}
    </div>
  );
}

function PostCard({ post }: { readonly post: Post }) {
  return (
    <article className="card stack">
      <div>
        <div className="row apart">
          <h2>{post.title}</h2>
          <ul className="row tags" aria-label="Tags">
            {post.tags.map((tag) => (
              <li key={keyOf(tag)} className="chip">
                {tag.name}
              </li>
            ))}
          </ul>
        </div>
        <Author author={post.author} />
      </div>
      <ul className="lines small">
        {post.comments.map((comment) => (
          <li key={keyOf(comment)} className="row">
            <Person id={comment.commenter.id} name={comment.commenter.name} />
            <span className="soft">{comment.content}</span>
          </li>
        ))}
      </ul>
    </article>
  );
}

// A user is one object everywhere: a new name shows under every post and comment.
function Author({ author }: { readonly author: User }) {
  const controller = useController();
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <p className="row byline small">
        <Person id={author.id} name={author.name} />
        <button type="button" className="button quiet tiny" onClick={() => setName(author.name)}>
          Rename <span className="visually-hidden">{author.name}</span>
        </button>
      </p>
    );
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setName(undefined);
    controller.fetch(users.partialUpdate, { id: author.id }, { name }).catch(() => {});
  };
  return (
    <form className="row one-line byline small" onSubmit={onSubmit}>
      <label className="row grow">
        <span className="visually-hidden">New name of {author.name}</span>
        <input
          className="field grow"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
          autoFocus
        />
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
