import { graphOf } from '../data.js';
import { expect, renders, steps, timed } from '../measure.js';
import { PostRow, stageOf, textIn } from '../stage.jsx';

const POSTS_EACH = 20;

/** A user of a circle (user → posts → author) gets another name, which is shown by every post of hers. */
export async function rename({ peer, size, ...given }) {
  const { users, posts } = graphOf(size, POSTS_EACH);
  const made = peer.graph({ users, posts });
  const stage = await stageOf(made);
  function Posts() {
    renders.count++;
    return (
      <ul>
        {made.usePosts().map((post) => (
          <PostRow key={post.id} post={post} />
        ))}
      </ul>
    );
  }
  await stage.showNow(Posts);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const step = (turn) => {
    const user = users[(turn * 7) % users.length];
    const name = `Renamed in turn ${turn}`;
    names.set(user.id, name);
    // The name on the way straight to the author, and once round the circle.
    const isShown = (id) => textIn(id, 'i') === name && textIn(id, 'small') === name;
    return timed(
      stage.root,
      () => void made.rename(user.id, name),
      () => user.posts.every(isShown),
    );
  };
  const figures = await steps(step, given);
  for (const { id, title, author } of posts) {
    const name = names.get(author);
    const text = `${title} ${name} ${name} ${POSTS_EACH}`;
    const shown = document.getElementById(id).textContent;
    expect(shown === text, `post ${id} is "${shown}", not "${text}"`);
  }
  return { '': figures };
}
