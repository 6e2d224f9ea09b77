import Link from 'next/link';
import { type ReactNode, Suspense } from 'react';
import { Comments, PostView } from '../../posts.tsx';

/** One post. From the list to here, nothing is asked for that the list has shown. */
export default async function Page({ params }: { readonly params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  return (
    <Suspense fallback={<p className="wait">The post is coming…</p>}>
      <article>
        <PostView id={id} />
        <Comments id={id} />
      </article>
      <Link href="/">All posts</Link>
    </Suspense>
  );
}
