import { memo, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { renders, settled } from './measure.js';

/**
 * Mounts what `made` provides with nothing in it, lets it load what it has, and gives the stage on which `show(View)`
 * puts a component.
 */
export async function stageOf(made) {
  const root = document.createElement('main');
  document.body.append(root);
  const react = createRoot(root);
  let place;
  // Never rendered again by what is around it: a library whose provider renders its children again would pay twice.
  const Stage = memo(function Stage() {
    const [View, setView] = useState();
    place = setView;
    return View && <View />;
  });
  flushSync(() =>
    react.render(
      <made.Provider>
        <Stage />
      </made.Provider>,
    ),
  );
  await settled();
  await made.load?.();
  await settled();
  return {
    root,
    show: (View) => place(() => View),
    /** Until something is there, off the clock. A library may take its time to ask for a list. */
    async showNow(View) {
      flushSync(() => place(() => View));
      do await settled();
      while (root.querySelector('li') === null);
    },
    async leave() {
      react.unmount();
      root.remove();
      made.dispose?.();
      await settled();
    },
  };
}

/** A row of a list that renders when it is given another record. */
export const ListRow = memo(function ListRow({ row }) {
  renders.count++;
  return (
    <li id={row.id}>
      <b>{row.title}</b> <i>{row.rank}</i>
    </li>
  );
});

export const IssueRow = memo(function IssueRow({ issue }) {
  renders.count++;
  return (
    <li id={issue.id} className={issue.state}>
      <b>{issue.title}</b> <i>{issue.user.login}</i> <small>{issue.comments}</small>
    </li>
  );
});

export const PostRow = memo(function PostRow({ post }) {
  renders.count++;
  const { name, posts } = post.author;
  return (
    <li id={post.id}>
      <b>{post.title}</b> <i>{name}</i> <small>{posts[0].author.name}</small> <small>{posts.length}</small>
    </li>
  );
});

/** The text of the part of a row that is called so. */
export const textIn = (id, name) => document.getElementById(id)?.querySelector(name)?.textContent;
