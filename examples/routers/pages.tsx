import { Suspense, type ReactNode } from 'react';
import { keyOf } from 'rejoin';
import { useSuspense } from 'rejoin/react';
import { posts } from './model.ts';

export interface ListProps {
  readonly linkTo: (id: string, title: string) => ReactNode;
}

export function PostList({ linkTo }: ListProps) {
  const list = useSuspense(posts.getList);
  return (
    <ul>
      {list.map((post) => (
        <li key={keyOf(post)}>{linkTo(post.id, post.title)}</li>
      ))}
    </ul>
  );
}

function PostText({ id }: { readonly id: string }) {
  const post = useSuspense(posts.get, { id });
  return (
    <article>
      <h1>{post.title}</h1>
      <p>{post.body}</p>
    </article>
  );
}

export function PostPage({ id }: { readonly id: string }) {
  return (
    <Suspense fallback={<p>Loading …</p>}>
      <PostText id={id} />
    </Suspense>
  );
}
