import { expect, test } from 'vitest';
import { All, Controller, Entity, resource } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Note extends Entity {
  id = '';
  title = '';
  tags: readonly string[] = [];
  static override key = 'Note';
}

function begin() {
  const platform = new Transport();
  const notes = resource({ path: '/notes/:id', schema: Note, optimistic: true, platform });
  const controller = new Controller();
  const tags = () => controller.get(Note, { id: '1' })?.tags;
  return { controller, notes, platform, tags };
}

test('a body that is changed after the call changes neither its guess, nor what a bare answer stores', async () => {
  const { controller, notes, platform, tags } = begin();
  await controller.set(Note, { id: '1' }, { id: '1', tags: ['a'] });
  const body = { tags: ['b'] };
  const edited = controller.fetch(notes.partialUpdate, { id: '1' }, body);
  body.tags.push('c');
  await controller.set(Note, { id: '1' }, { id: '1', title: 'so that the guess is made again' });
  expect(tags()).toEqual(['b']);
  await settled();
  platform.take('PATCH /notes/1').answer(null, { status: 204 });
  await edited;
  expect(tags()).toEqual(['b']);
});

test('edits that wait for a create send what their bodies had when they were made', async () => {
  const { controller, notes, platform } = begin();
  const created = controller.fetch(notes.getList.push, { title: 'new' });
  await settled();
  const [{ id } = { id: '' }] = controller.get(new All(Note)) ?? [];
  const draft = { title: 'one' };
  const first = controller.fetch(notes.partialUpdate, { id }, draft);
  draft.title = 'two';
  const second = controller.fetch(notes.partialUpdate, { id }, draft);
  draft.title = 'three';
  platform.take('POST /notes').answer({ id: '7', title: 'new' });
  await created;
  await settled();
  const sent = platform.calls.map(({ body }) => body);
  expect(sent).toEqual([{ title: 'one' }, { title: 'two' }]);
  for (const { title } of [{ title: 'one' }, { title: 'two' }])
    platform.take('PATCH /notes/7').answer({ id: '7', title });
  await Promise.all([first, second]);
});

test('getOptimisticResponse that changes its arguments changes neither the request, nor the next guess', async () => {
  const { controller, notes, platform, tags } = begin();
  await controller.set(Note, { id: '1' }, { id: '1' });
  const tag = notes.partialUpdate.extend({
    getOptimisticResponse: (_snapshot, { id }, body: { tags: string[] }) => {
      body.tags.push('guessed');
      return { id, ...body };
    },
  });
  const body = { tags: ['a'] };
  const edited = controller.fetch(tag, { id: '1' }, body);
  await controller.set(Note, { id: '1' }, { id: '1', title: 'so that the guess is made again' });
  expect(tags()).toEqual(['a', 'guessed']);
  await settled();
  const call = platform.take('PATCH /notes/1');
  expect(call.body).toEqual({ tags: ['a'] });
  expect(body).toEqual({ tags: ['a'] });
  call.answer({ id: '1', tags: ['a'] });
  await edited;
});
