/**
 * The clock of every cell. An action runs in a click, and its time ends when a MutationObserver sees the expected content of the page.
 * So the time includes the library, React and the change of the document, without layout and paint, which are the same for all.
 */
const LONGEST_WAIT = 8_000;

/** The number of renders since the last `reset`. Every component of a page counts its renders. */
export const renders = {
  count: 0,
  reset() {
    this.count = 0;
  },
};

const button = document.createElement('button');
button.hidden = true;
document.body.append(button);

/** Returns the milliseconds from a click that runs `act` until `isRight` returns true. */
export function timed(root, act, isRight) {
  return new Promise((resolve, reject) => {
    const end = (settle) => {
      observer.disconnect();
      clearTimeout(limit);
      settle();
    };
    const look = () => {
      if (!isRight()) return;
      const took = performance.now() - from;
      end(() => resolve(took));
    };
    const observer = new MutationObserver(look);
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    const limit = setTimeout(() => {
      const seen = root.textContent.slice(0, 80);
      end(() =>
        reject(new Error(`wrong answer: not on the screen after ${LONGEST_WAIT} ms; it begins with "${seen}"`)),
      );
    }, LONGEST_WAIT);
    let failure;
    const onClick = () => {
      try {
        act();
      } catch (error) {
        failure = error;
      }
    };
    button.addEventListener('click', onClick, { once: true });
    const from = performance.now();
    button.click();
    if (failure) end(() => reject(failure));
  });
}

const channel = new MessageChannel();
channel.port1.start();
const turn = () =>
  new Promise((resolve) => {
    channel.port1.addEventListener('message', resolve, { once: true });
    channel.port2.postMessage(undefined);
  });

/** Waits until React and the library have ended their deferred work: effects, timers, promises. */
export async function settled() {
  for (let left = 3; left > 0; left--) await turn();
  await new Promise((resolve) => void setTimeout(resolve));
  await turn();
}

export const MOST_STEPS = 100;
const LONGEST_WARM_UP = 200;

/**
 * Returns the median time of a step and the number of its renders, over as many steps as fit into the budget. `step(turn)`
 * returns its milliseconds, and `turn` always grows. `warm` is the number of steps before the measurement, if they do not take too long.
 */
export async function steps(step, { warm = 50, least = 5, most = MOST_STEPS, budget = 250, ready } = {}) {
  let at = 0;
  const run = async () => {
    await ready?.();
    renders.reset();
    const ms = await step(at++);
    // Renders after the expected content was shown count too.
    await settled();
    return { ms, rendered: renders.count };
  };
  const started = performance.now();
  for (let left = warm; left > 0 && performance.now() - started < LONGEST_WARM_UP; left--) await run();
  globalThis.gc?.();
  // A profile begins at this point.
  await globalThis.began?.();
  const all = [];
  const from = performance.now();
  do all.push(await run());
  while (all.length < least || (all.length < most && performance.now() - from < budget));
  const rendered = all.reduce((sum, each) => sum + each.rendered, 0);
  return { ms: median(all.map(({ ms }) => ms)), renders: rendered / all.length, steps: all.length };
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function expect(condition, what) {
  if (!condition) throw new Error(`wrong answer: ${what}`);
}
