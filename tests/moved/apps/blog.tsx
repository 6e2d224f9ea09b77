import { AsyncBoundary, CacheProvider, useController, useDLE, useSuspense } from '@data-client/react';
import { createResource, Entity, RestEndpoint, schema } from '@data-client/rest';
import { type ReactNode, useState } from 'react';
import { rendered } from './renders.ts';

class User extends Entity {
  id = '';
  name = '';

  override pk(): string {
    return this.id;
  }

  static override key = 'User';
}

class Post extends Entity {
  id = '';
  title = '';
  body = '';
  author = User.fromJS({});
  published: Date = new Date(0);

  override pk(): string {
    return this.id;
  }

  static override key = 'Post';
  static override schema = { author: User, published: (iso: string | Date) => new Date(iso) };
}

class Comment extends Entity {
  id = '';
  postId = '';
  text = '';
  commenter: User | undefined = undefined;

  override pk(): string {
    return this.id;
  }

  static override key = 'Comment';
  static override schema = { commenter: User };
}

const urlPrefix = 'https://api.test';
const getPosts = new RestEndpoint({
  urlPrefix,
  path: '/posts',
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the peer takes its type from this
  searchParams: {} as { tag?: string } | undefined,
  schema: { posts: new schema.Collection([Post]), cursor: '' },
  paginationField: 'cursor',
});
const PostResource = createResource({ urlPrefix, path: '/posts/:id', schema: Post });
const UserResource = createResource({ urlPrefix, path: '/users/:id', schema: User, optimistic: true });
const CommentResource = createResource({
  urlPrefix,
  path: '/comments/:id',
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the peer takes its type from this
  searchParams: {} as { postId?: string } | undefined,
  schema: Comment,
});

function Posts({ onOpen }: { onOpen: (id: string) => void }): ReactNode {
  rendered('Posts');
  const controller = useController();
  const { posts, cursor } = useSuspense(getPosts, {});
  return (
    <>
      {posts.map((post) => (
        <article key={post.pk()}>
          <button name={`open ${post.id}`} onClick={() => onOpen(post.id)}>
            {post.title}
          </button>
          <i>{post.author.name}</i>
          <time>{post.published.toISOString().slice(0, 10)}</time>
        </article>
      ))}
      {cursor ? (
        <button name="more" onClick={() => void controller.fetch(getPosts.getPage, { cursor })}>
          More
        </button>
      ) : null}
    </>
  );
}

function Comments({ postId }: { postId: string }): ReactNode {
  rendered('Comments');
  const controller = useController();
  const { data, loading, error } = useDLE(CommentResource.getList, { postId });
  if (error) return <p>{error.message}</p>;
  if (loading || !data) return <p>Comments…</p>;
  return (
    <>
      {data.map(({ id, text, commenter }) => (
        <p key={id}>
          {text} — {commenter?.name ?? 'somebody'}
          <button name={`remove ${id}`} onClick={() => void controller.fetch(CommentResource.delete, { id })}>
            ×
          </button>
        </p>
      ))}
      <button
        name="comment"
        onClick={() => void controller.fetch(CommentResource.getList.push, { postId }, { postId, text: 'Well said' })}
      >
        Comment
      </button>
    </>
  );
}

function Detail({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  rendered('Detail');
  const controller = useController();
  const post = useSuspense(PostResource.get, { id });
  const { author } = post;
  return (
    <section>
      <h1>{post.title}</h1>
      <i>{author.name}</i>
      <p>{post.body}</p>
      <button
        name="rename author"
        onClick={() => void controller.fetch(UserResource.partialUpdate, { id: author.id }, { name: 'Anna' })}
      >
        Rename
      </button>
      <button
        name="retitle"
        onClick={() => void controller.fetch(PostResource.partialUpdate, { id }, { title: `${post.title}!` })}
      >
        Retitle
      </button>
      <button name="close" onClick={onClose}>
        Close
      </button>
      <Comments postId={id} />
    </section>
  );
}

export function App(): ReactNode {
  const [open, setOpen] = useState('');
  return (
    <CacheProvider>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <Posts onOpen={setOpen} />
      </AsyncBoundary>
      {open === '' ? null : (
        <AsyncBoundary fallback={<p>Opening</p>}>
          <Detail id={open} onClose={() => setOpen('')} />
        </AsyncBoundary>
      )}
    </CacheProvider>
  );
}
