import { type FormEvent, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { keyOf } from 'rejoin';
import { DataProvider, useController, useOutbox, useSuspense } from 'rejoin/react';
import { keepFiles } from '../../shell/keep-files.ts';
import { Loading } from '../../shell/loading.tsx';
import { addComment, managers, outbox, type Post, posts } from './model.ts';
import { plug } from './plug.ts';

/** The id of the user who is logged in. */
const me = '5';
/** The promise of an edit is not awaited, because the outbox shows its errors. */
const ignore = (): void => {};

export function OfflinePage() {
  // The files of the page open without a network, too.
  useEffect(() => {
    if (import.meta.env.PROD) keepFiles().catch(ignore);
  }, []);
  return (
    <DataProvider managers={managers}>
      <div className="stack">
        <Plug />
        <Waiting />
        <Suspense fallback={<Loading />}>
          <Posts />
        </Suspense>
      </div>
    </DataProvider>
  );
}

function Plug() {
  const isIn = useSyncExternalStore(plug.subscribe, plug.isIn);
  useEffect(() => {
    if (isIn) outbox.retry();
  }, [isIn]);
  return (
    <div className="card row apart">
      <button type="button" className={isIn ? 'button' : 'button primary'} onClick={() => plug.put(!isIn)}>
        {isIn ? 'Go offline' : 'Go online'}
      </button>
      <span className={`chip dot ${isIn ? 'accent' : 'bad'}`} role="status">
        {isIn ? 'online' : 'offline'}
      </span>
      <a className="small" href="/offline" target="_blank" rel="opener">
        Open a second tab
      </a>
    </div>
  );
}

/** The edits that the server has not answered yet. */
function Waiting() {
  const entries = useOutbox(outbox);
  return (
    <section className="card stack tight" aria-label="Outbox">
      <div className="row apart">
        <h2>Outbox</h2>
        <span className={`chip ${entries.length > 0 ? 'warm' : ''}`} role="status">
          {entries.length > 0 ? `${entries.length} not saved yet` : 'all saved'}
        </span>
      </div>
      <ul className="lines small">
        {entries.map(({ id, endpoint, args, state, tries, error }) => (
          <li key={id} className="row apart">
            <span className="grow">
              <code>{endpoint}</code> {Object.values(Object(args.at(-1)) as object).join(', ')}
            </span>
            <span className="soft">{state === 'stopped' ? (error as Error).message : `${state}, tries: ${tries}`}</span>
            <button type="button" className="button quiet tiny" onClick={() => outbox.discard(id)}>
              Discard
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Posts() {
  const controller = useController();
  const list = useSuspense(posts.getList, { authorId: me });
  const add = (title: string): void =>
    void controller.fetch(posts.getList.push, { authorId: me }, { authorId: me, title }).catch(ignore);
  return (
    <>
      <Line label="New post" action="Post" onText={add} />
      {list
        .toReversed()
        .slice(0, 4)
        .map((post) => (
          <PostCard key={keyOf(post)} post={post} />
        ))}
    </>
  );
}

function PostCard({ post }: { readonly post: Post }) {
  const controller = useController();
  const { id, title } = post;
  const rename = (next: string): void =>
    void controller.fetch(posts.partialUpdate, { id }, { title: next }).catch(ignore);
  const comment = (content: string): void =>
    void controller.fetch(addComment, { postId: id }, { commenterId: me, content }).catch(ignore);
  return (
    <article className="card stack">
      <h2>{title}</h2>
      <ul className="lines small">
        {post.comments.map((one) => (
          <li key={keyOf(one)}>
            {one.commenter.name} <span className="soft">{one.content}</span>
          </li>
        ))}
      </ul>
      <div className="pair">
        <Line label={`New title of ${title}`} action="Rename" onText={rename} />
        <Line label={`Comment on ${title}`} action="Comment" onText={comment} />
      </div>
    </article>
  );
}

interface LineProps {
  readonly label: string;
  readonly action: string;
  readonly onText: (text: string) => void;
}

/** A line of text and a button. */
function Line({ label, action, onText }: LineProps) {
  const [text, setText] = useState('');
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onText(text);
    setText('');
  };
  return (
    <form className="row one-line" onSubmit={onSubmit}>
      <input
        className="field grow"
        aria-label={label}
        placeholder={label.length > 30 ? `${label.slice(0, 29)}…` : label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        required
      />
      <button type="submit" className="button">
        {action}
      </button>
    </form>
  );
}
