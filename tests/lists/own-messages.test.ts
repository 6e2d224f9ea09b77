import { expect, test } from 'vitest';
import { actionTypes, Controller, type EndpointInterface, Entity, Invalidate, resource } from '../../src/index.ts';
import { Transport } from '../ordering/transport.ts';
import { settled } from '../reliability/network/clock.ts';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const search: { q?: string; page?: number; limit?: number } | undefined = {};

/** Shows a list of two notes, and returns the reads after a mutation of one of them. `told`: how a message tells the change before the answer. */
async function readsAfter(
  args: typeof search,
  change: 'partialUpdate' | 'delete',
  told: 'as a record' | 'as an answer' | 'not',
) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const notes = resource({ path: '/notes/:id', schema: Note, searchParams: search, platform: transport });
  controller.watch(notes.getList, args, () => {});
  void controller.fetch(notes.getList, args);
  await settled();
  const [list = ''] = transport.sent;
  transport.take(list).answer([
    { id: 1, text: 'one' },
    { id: 2, text: 'two' },
  ]);
  await settled();
  const edited = { id: 1, text: 'three' };
  if (change === 'delete') void controller.fetch(notes.delete, { id: 1 });
  else void controller.fetch(notes.partialUpdate, { id: 1 }, { text: 'three' });
  await settled();
  const [sent = ''] = transport.sent;
  const schema = change === 'delete' ? new Invalidate(Note) : Note;
  const ticket = controller.store.begin();
  if (told === 'as a record')
    await controller.dispatch({ type: actionTypes.SET, schema, args: [], value: edited, ticket });
  const endpoint: EndpointInterface = change === 'delete' ? notes.delete : notes.get;
  const answer = { endpoint, args: [{ id: 1 }], key: endpoint.key({ id: 1 }), response: edited, fetchedAt: 0 };
  if (told === 'as an answer') await controller.dispatch({ type: actionTypes.SET_RESPONSE, ...answer, ticket });
  expect(transport.sent).toEqual([sent]);
  transport.take(sent).answer(change === 'delete' ? { id: 1 } : edited);
  await settled();
  const asked = [...transport.sent];
  for (const one of asked) transport.take(one).answer([edited]);
  await settled();
  return asked;
}

test.each([
  ['edited, and only the server knows whether it belongs to the list', { q: 't' }, 'partialUpdate', '/notes?q=t'],
  ['deleted from a page', { page: 2, limit: 2 }, 'delete', '/notes?limit=2&page=2'],
] as const)(
  'after a mutation, a list is fetched that changes with it, also if a message tells the change before the answer: a record is %s',
  async (_, args, change, path) => {
    for (const told of ['not', 'as a record', 'as an answer'] as const)
      expect([told, await readsAfter(args, change, told)]).toEqual([told, [`GET ${path}`]]); // oxlint-disable-line no-await-in-loop
  },
);
