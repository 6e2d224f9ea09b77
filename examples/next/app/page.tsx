import { type ReactNode, Suspense } from 'react';
import { Posts, Reader } from './posts.tsx';

/** A Server Component; what shows records is below. */
export default function Page(): ReactNode {
  return (
    <>
      <header>
        <h1>Posts</h1>
        <Reader />
      </header>
      <Suspense fallback={<p className="wait">Posts are coming…</p>}>
        <Posts />
      </Suspense>
    </>
  );
}
