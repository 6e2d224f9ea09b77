import { Collection, Controller, Endpoint, Entity, Invalidate } from '../../../src/index.ts';
import { settled } from '../network/clock.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}
const notes: Collection = new Collection([Note]);
const WEEK = 604_800_000;

/** How many bytes stay of each optimistic create, once its record is deleted or it has failed, and garbage was collected. */
export async function bytesLeft(gc: () => void, count: number, isFailing: boolean): Promise<number> {
  let now = 0;
  let last = 0;
  const controller = new Controller({ now: () => now });
  const create = new Endpoint(
    async ({ text }: { id?: string; text: string }) => {
      if (isFailing) throw new Error('refused');
      return { id: `n${++last}`, text };
    },
    {
      name: 'create',
      schema: notes.push,
      sideEffect: true,
      key: () => 'create',
      getOptimisticResponse: (_snapshot, { text }) => ({ text }) as Note,
    },
  );
  const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
    name: 'remove',
    schema: new Invalidate(Note),
    sideEffect: true,
    key: () => 'remove',
  });
  const run = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as users do
      const made = (await controller.fetch(create, { text: 'a' }).catch(() => {})) as Note | undefined;
      // oxlint-disable-next-line no-await-in-loop
      if (made !== undefined) await controller.fetch(remove, { id: made.id });
    }
    now += WEEK;
    Array.from(controller.collect());
    await settled();
    gc();
    await settled();
    gc();
    return process.memoryUsage().heapUsed;
  };
  // Until the code is warm, and tables have the size that they need.
  let before = await run(count);
  let least = Number.POSITIVE_INFINITY;
  // What else goes on in the process counts too: the least of some rounds is what the creates have left.
  for (let round = 0; round < 4; round++) {
    // oxlint-disable-next-line no-await-in-loop
    const after = await run(count);
    least = Math.min(least, (after - before) / count);
    before = after;
  }
  controller.dispose();
  return least;
}
