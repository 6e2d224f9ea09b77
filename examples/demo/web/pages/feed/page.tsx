import { useEffect, useRef, useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useLoading, useSuspense } from 'rejoin/react';
import { getFeed } from './model.ts';

const first = { limit: 15 };

export function FeedPage() {
  const controller = useController();
  const { results, next } = useSuspense(getFeed, first);
  const [cursor, setCursor] = useState(next);
  const [more, isLoading, error] = useLoading(async () => {
    const page = await controller.fetch(getFeed.getPage, { ...first, cursor });
    setCursor(page.next);
  }, [controller, cursor]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null || isLoading || error !== undefined || cursor === '') return undefined;
    // A busy page gets several entries at once. The last one says what is in view now.
    const watcher = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting === true && void more());
    watcher.observe(end.current);
    return () => watcher.disconnect();
  });
  return (
    <div className="stack">
      <ol className="card lines">
        {results.map((post) => (
          <li key={keyOf(post)}>
            <div className="row apart one-line">
              <h2>{post.title}</h2>
              <span className="chip num">{post.id}</span>
            </div>
            <p className="small">
              <span className="soft">{post.author.name}:</span> {post.body}
            </p>
          </li>
        ))}
      </ol>
      <div ref={end} className="row" role="status">
        <span className="chip num">{results.length} posts</span>
        {isLoading && 'Loading the next page …'}
        {cursor === '' && 'There are no more posts.'}
        {error !== undefined && (
          <button type="button" className="button" onClick={() => void more()}>
            The page could not be loaded. Try again
          </button>
        )}
      </div>
    </div>
  );
}
