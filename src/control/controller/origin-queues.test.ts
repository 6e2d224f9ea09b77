import { describe, expect, it } from 'vitest';
import { OriginQueues } from './origin-queues.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Visitors that enter the queue. `inside` has their names. */
function visitors(queues: OriginQueues) {
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  const come = async (name: string, isUrgent = false, origin = 'here', signal = never): Promise<void> => {
    const out = await queues.enter(origin, isUrgent, signal);
    inside.push(name);
    leave.set(name, out);
  };
  return { inside, come, leave: (name: string) => leave.get(name)?.() };
}

describe('a queue', () => {
  it('admits as many requests as its limit, and the others when one of them leaves', async () => {
    const { inside, come, leave } = visitors(new OriginQueues(2));
    for (const name of ['a', 'b', 'c', 'd']) void come(name);
    await turn();
    expect(inside).toEqual(['a', 'b']);
    leave('b');
    await turn();
    expect(inside).toEqual(['a', 'b', 'c']);
    leave('a');
    leave('c');
    await turn();
    expect(inside).toEqual(['a', 'b', 'c', 'd']);
  });

  it('admits urgent requests first, and each kind in order', async () => {
    const { inside, come, leave } = visitors(new OriginQueues(1));
    void come('first');
    for (const name of ['a', 'b']) void come(name);
    for (const name of ['A', 'B']) void come(name, true);
    for (const name of ['first', 'A', 'B', 'a', 'b']) {
      // oxlint-disable-next-line no-await-in-loop
      await turn();
      leave(name);
    }
    expect(inside).toEqual(['first', 'A', 'B', 'a', 'b']);
  });

  it('is separate for each origin, and removed when it is empty', async () => {
    const { inside, come, leave } = visitors(new OriginQueues(1));
    void come('a', false, 'here');
    void come('b', false, 'there');
    await turn();
    expect(inside).toEqual(['a', 'b']);
    leave('a');
    void come('c', false, 'here');
    await turn();
    expect(inside).toEqual(['a', 'b', 'c']);
  });

  it('admits one request for each that leaves, also if a request leaves twice', async () => {
    const { inside, come, leave } = visitors(new OriginQueues(1));
    for (const name of ['a', 'b', 'c']) void come(name);
    await turn();
    leave('a');
    leave('a');
    await turn();
    expect(inside).toEqual(['a', 'b']);
  });

  it('is left by a request that is aborted while it waits, and never let in', async () => {
    const { inside, come, leave } = visitors(new OriginQueues(1));
    const abort = new AbortController();
    void come('a');
    const waiting = come('b', false, 'here', abort.signal);
    void come('c');
    await turn();
    abort.abort(new RangeError('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(come('d', false, 'here', abort.signal)).rejects.toThrow('enough');
    leave('a');
    await turn();
    expect(inside).toEqual(['a', 'c']);
  });

  it('has no limit with Infinity, and refuses a limit below one', async () => {
    const { inside, come } = visitors(new OriginQueues(Number.POSITIVE_INFINITY));
    for (let nth = 0; nth < 100; nth++) void come(String(nth));
    await turn();
    expect(inside).toHaveLength(100);
    for (const most of [0, -1, Number.NaN])
      expect(() => new OriginQueues(most)).toThrow(expect.objectContaining({ code: 'concurrency-invalid' }));
  });
});
