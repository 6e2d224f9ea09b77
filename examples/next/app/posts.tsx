'use client';

import Link from 'next/link';
import { type ReactNode, Suspense } from 'react';
import { keyOf } from 'rejoin';
import { useController, useQuery, useSuspense } from 'rejoin/react';
import { getComments, PostResource, User } from './model.ts';

/** This component is rendered before the components that load the user, so it shows more when they have loaded. */
export function Reader(): ReactNode {
  const user = useQuery(User, { id: 'u1' });
  return <p id="reader">{user === undefined ? 'Nobody is known yet' : `${user.name} is known`}</p>;
}

export function Posts(): ReactNode {
  return useSuspense(PostResource.getList).map((post) => (
    <article key={keyOf(post)}>
      <PostView id={post.id} />
      <Suspense fallback={<p className="wait">Comments are loading …</p>}>
        <Comments id={post.id} />
      </Suspense>
    </article>
  ));
}

export function PostView({ id }: { readonly id: string }): ReactNode {
  const { title, author, likes } = useSuspense(PostResource.get, { id });
  const { fetch } = useController();
  return (
    <>
      <h2>
        <Link href={`/posts/${id}`}>{title}</Link>
      </h2>
      <p>
        by <b>{author.name}</b>
        <button onClick={() => void fetch(PostResource.partialUpdate, { id }, { likes: likes + 1 })}>
          {likes} likes
        </button>
      </p>
    </>
  );
}

export function Comments({ id }: { readonly id: string }): ReactNode {
  const comments = useSuspense(getComments, { id });
  return (
    <ul>
      {comments.map((comment) => (
        <li key={keyOf(comment)}>
          {comment.content} <i>{comment.commenter.name}</i>
        </li>
      ))}
    </ul>
  );
}
