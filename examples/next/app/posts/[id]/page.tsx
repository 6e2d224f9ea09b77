import Link from 'next/link';
import { type ReactNode, Suspense } from 'react';
import { Comments, PostView } from '../../posts.tsx';

/** One post. A visitor who comes from the list needs no request for data that the list has shown. */
export default async function Page({ params }: { readonly params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  return (
    <Suspense fallback={<p className="wait">The post is loading …</p>}>
      <article>
        <PostView id={id} />
        <Comments id={id} />
      </article>
      <Link href="/">All posts</Link>
    </Suspense>
  );
}
