import { type ReactNode, Suspense } from 'react';
import { Posts, Reader } from './posts.tsx';

/** A Server Component. The components that show records are below it. */
export default function Page(): ReactNode {
  return (
    <>
      <header>
        <h1>Posts</h1>
        <Reader />
      </header>
      <Suspense fallback={<p className="wait">Posts are loading …</p>}>
        <Posts />
      </Suspense>
    </>
  );
}
