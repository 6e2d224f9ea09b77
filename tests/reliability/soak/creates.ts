import { json } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import { Collection, Controller, Endpoint, Entity, Invalidate } from '../../../src/index.ts';
import { settled } from '../network/clock.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}
const notes: Collection = new Collection([Note]);
const WEEK = 604_800_000;

/** Returns how many bytes of values remain of each optimistic create, after its record was deleted or the create has failed. */
async function bytesLeft(count: number, isFailing: boolean): Promise<number> {
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
  const run = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as users do
      const made = (await controller.fetch(create, { text: 'a' }).catch(() => {})) as Note | undefined;
      // oxlint-disable-next-line no-await-in-loop
      if (made !== undefined) await controller.fetch(remove, { id: made.id });
    }
    now += WEEK;
    Array.from(controller.collect());
    await settled();
  };
  // Afterwards the code is compiled, and the tables have the size that they need.
  await run(3 * count);
  await run(count);
  await bytesOfValues();
  await run(count);
  // What remains of each create remains in every period. The memory of the engine can grow once.
  let before = await leastBytesOfValues();
  let growth = Number.POSITIVE_INFINITY;
  for (let period = 0; period < 2 && growth > count; period++) {
    // oxlint-disable-next-line no-await-in-loop -- one period after the other
    await run(count);
    // oxlint-disable-next-line no-await-in-loop
    const after = await leastBytesOfValues(before + count);
    growth = Math.min(growth, after - before);
    before = after;
  }
  controller.dispose();
  return growth / count;
}

interface HeapSnapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: [string[]] } };
  readonly nodes: readonly number[];
}

/** The kinds of memory of the code and of the engine. Their size can change by 100 kB, independent of the data of a program. */
const OF_THE_ENGINE = new Set(['code', 'hidden', 'object shape', 'native', 'synthetic']);

/**
 * The least of three measurements, because each one leaves strings behind for a while, about 90 kB. Ends with the first measurement that is not
 * above `enough`.
 */
async function leastBytesOfValues(enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let time = 0; time < 3 && least > enough; time++) least = Math.min(least, await bytesOfValues());
  return least;
}

/** Returns the size of all values of this process that are not garbage. */
async function bytesOfValues(): Promise<number> {
  const { snapshot, nodes } = (await json(getHeapSnapshot())) as HeapSnapshot;
  const fields = snapshot.meta.node_fields;
  const [types] = snapshot.meta.node_types;
  const type = fields.indexOf('type');
  const size = fields.indexOf('self_size');
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += fields.length)
    if (!OF_THE_ENGINE.has(types[nodes[node + type] as number] as string)) bytes += nodes[node + size] as number;
  return bytes;
}

process.stdout.write(String(await bytesLeft(Number(process.argv[2]), process.argv[3] === 'failing')));
