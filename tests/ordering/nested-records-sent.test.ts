import { describe, expect, test } from 'vitest';
import { Controller, Entity, isLoaded, resource } from '../../src/index.ts';
import { Post, User } from '../model.ts';
import { settled, Transport } from './transport.ts';

class Member extends User {
  email = '';
  static override key = 'Member';
}
class Letter extends Entity {
  id = '';
  text = '';
  writer = Member.fromJS();
  static override key = 'Letter';
  static override schema = { writer: Member };
}
const isNameLoaded = isLoaded(Member, 'name');
const isEmailLoaded = isLoaded(Member, 'email');

class Merged extends User {
  static override key = 'Merged';
  static override merge(existing: object, incoming: object): object {
    return { ...existing, ...incoming };
  }
}

/** A post of Ann is shown. */
async function begin(optimistic = true) {
  const transport = new Transport();
  const options = { optimistic, platform: transport } as const;
  const posts = resource({ path: '/posts/:id', schema: Post, ...options });
  const users = resource({ path: '/users/:id', schema: User, ...options });
  const controller = new Controller({ now: () => transport.time });
  await controller.setResponse(posts.getList, [{ id: '1', title: 'first', author: { id: 'u', name: 'Ann' } }]);
  const ann = controller.get(User, { id: 'u' }) as User;
  const name = (): string | undefined => controller.get(User, { id: 'u' })?.name;
  const send = async (request: Promise<unknown>): Promise<void> => {
    request.catch(() => {});
    await settled();
  };
  const answer = async (address: string, value: unknown): Promise<void> => {
    transport.take(address).answer(value);
    await settled();
  };
  return { ann, answer, controller, name, posts, send, users };
}

describe('a record that a body nests to refer to it', () => {
  test.each([
    ['the shown object', (ann: User): object => ann],
    ['a copy of it', (ann: User): object => ({ id: ann.id, name: ann.name })],
  ])('shows the changes that come while a create is pending: %s', async (_, author) => {
    const { ann, answer, controller, name, posts, send, users } = await begin();
    await send(controller.fetch(posts.getList.push, { title: 'second', author: author(ann) }));
    await send(controller.fetch(users.partialUpdate, { id: 'u' }, { name: 'Anne' }));
    expect(name()).toBe('Anne');
    await answer('PATCH /users/u', { id: 'u', name: 'Anne' });
    expect(name()).toBe('Anne');
    await controller.set(User, { id: 'u' }, { id: 'u', name: 'Anna' });
    expect(name()).toBe('Anna');
  });

  test('shows the changes that come while an update is pending', async () => {
    const { ann, controller, name, posts, send } = await begin();
    await send(controller.fetch(posts.update, { id: '1' }, { id: '1', title: 'new', author: ann }));
    await controller.set(User, { id: 'u' }, { id: 'u', name: 'Anna' });
    expect(name()).toBe('Anna');
    expect(controller.getResponse(posts.getList).data?.[0]?.author.name).toBe('Anna');
    expect(controller.getResponse(posts.getList).data?.[0]?.title).toBe('new');
  });

  test.each([
    ['without data', true, { ok: true }],
    ['without the nested record', true, { id: '1', title: 'new' }],
    ['without data, to an update without a guess', false, { ok: true }],
    ['without the nested record, to an update without a guess', false, { id: '1', title: 'new' }],
  ])('keeps the changes that came meanwhile, if the server answers %s', async (_, optimistic, value) => {
    const { ann, answer, controller, name, posts, send } = await begin(optimistic);
    await send(controller.fetch(posts.update, { id: '1' }, { id: '1', title: 'new', author: ann }));
    await controller.set(User, { id: 'u' }, { id: 'u', name: 'Anna' });
    await answer('PUT /posts/1', value);
    expect(name()).toBe('Anna');
    expect(controller.get(Post, { id: '1' })?.title).toBe('new');
  });

  test('changes as the answer says, if the answer has it', async () => {
    const { ann, answer, controller, name, posts, send } = await begin();
    await send(controller.fetch(posts.update, { id: '1' }, { id: '1', title: 'new', author: ann }));
    await answer('PUT /posts/1', { id: '1', title: 'new', author: { id: 'u', name: 'Anita' } });
    expect(name()).toBe('Anita');
  });

  test.each([true, false])(
    'changes as the body said, if the answer leaves it out; with a guess: %s',
    async (optimistic) => {
      const { answer, controller, name, posts, send } = await begin(optimistic);
      await send(controller.fetch(posts.update, { id: '1' }, { title: 'new', author: { id: 'u', name: 'Bob' } }));
      await controller.set(Post, { id: '7' }, { id: '7', title: 'another' });
      await answer('PUT /posts/1', { id: '1', title: 'new' });
      expect(name()).toBe('Bob');
    },
  );

  test('is stored as it was sent, if the store does not have it and the answer leaves it out; without a guess', async () => {
    const { answer, controller, posts, send } = await begin(false);
    await send(controller.fetch(posts.update, { id: '1' }, { title: 'new', author: { id: 'n', name: 'Nia' } }));
    await controller.set(Post, { id: '7' }, { id: '7', title: 'another' });
    await answer('PUT /posts/1', { id: '1', title: 'new' });
    expect(controller.get(User, { id: 'n' })?.name).toBe('Nia');
  });

  test('shows changes also if the body changes nothing else', async () => {
    const { ann, controller, name, posts, send } = await begin();
    await send(controller.fetch(posts.partialUpdate, { id: '1' }, { author: { id: 'u', name: ann.name } }));
    await controller.set(User, { id: 'u' }, { id: 'u', name: 'Anna' });
    expect(name()).toBe('Anna');
  });

  test('shows what the body changes of it, also after other changes', async () => {
    const { controller, name, posts, send } = await begin();
    await send(
      controller.fetch(posts.update, { id: '1' }, { id: '1', title: 'new', author: { id: 'u', name: 'Bob' } }),
    );
    expect(name()).toBe('Bob');
    await controller.set(User, { id: 'u' }, { id: 'u', name: 'Anna' });
    expect(name()).toBe('Bob');
  });

  test('shows fields that arrive later, although the sent copy has the defaults of the class', async () => {
    const letters = resource({ path: '/letters/:id', schema: Letter, optimistic: true, platform: new Transport() });
    const controller = new Controller();
    await controller.set(Member, { id: 'm' }, { id: 'm', name: 'Mia' });
    const writer = controller.get(Member, { id: 'm' }) as Member;
    controller
      .fetch(letters.getList.push, { text: 'hello', writer: { id: 'm', name: writer.name, email: writer.email } })
      .catch(() => {});
    await settled();
    await controller.set(Member, { id: 'm' }, { id: 'm', email: 'mia@example.com' });
    expect(controller.get(Member, { id: 'm' })?.email).toBe('mia@example.com');
  });

  test.each([
    [true, 'without data', { ok: true }],
    [true, 'without the nested record', { id: '1', text: 'new' }],
    [false, 'without data', { ok: true }],
    [false, 'without the nested record', { id: '1', text: 'new' }],
  ])(
    'does not count as loaded in the fields that no answer had, also after an answer: guess %s, %s',
    async (optimistic, _, value) => {
      const transport = new Transport();
      const letters = resource({ path: '/letters/:id', schema: Letter, optimistic, platform: transport });
      const controller = new Controller();
      const areLoaded = () => [isNameLoaded, isEmailLoaded].map((query) => controller.get(query, { id: 'm' }));
      await controller.set(Letter, { id: '1' }, { id: '1', text: 'old', writer: { id: 'm', name: 'Mia' } });
      const letter = controller.get(Letter, { id: '1' }) as Letter;
      const sent = controller.fetch(letters.update, { id: '1' }, Object.assign({}, letter, { text: 'new' }));
      await settled();
      expect(areLoaded()).toEqual([true, false]);
      transport.take('PUT /letters/1').answer(value);
      await sent;
      expect(areLoaded()).toEqual([true, false]);
      expect(controller.get(Letter, { id: '1' })).toMatchObject({ text: 'new', writer: { name: 'Mia', email: '' } });
    },
  );

  test('has the fields that the body gives it, if no answer had them', async () => {
    const { answer, controller, posts, send } = await begin(false);
    await controller.set(User, { id: 'n' }, { id: 'n' });
    await send(controller.fetch(posts.update, { id: '1' }, { title: 'new', author: { id: 'n', name: 'Nia' } }));
    await answer('PUT /posts/1', { id: '1', title: 'new' });
    expect(controller.get(User, { id: 'n' })?.name).toBe('Nia');
  });

  test('is shown as sent until the store has it', async () => {
    const letters = resource({ path: '/letters/:id', schema: Letter, optimistic: true, platform: new Transport() });
    const controller = new Controller();
    controller.fetch(letters.getList.push, { text: 'hello', writer: { id: 'm', name: 'Mia' } }).catch(() => {});
    await settled();
    expect(controller.get(Member, { id: 'm' })?.name).toBe('Mia');
    await controller.set(Member, { id: 'm' }, { id: 'm', name: 'Maria' });
    expect(controller.get(Member, { id: 'm' })?.name).toBe('Maria');
  });
});

test('an edit that was answered stays shown while an earlier one of the same field is pending, also if the class merges records itself', async () => {
  const transport = new Transport();
  const users = resource({ path: '/users/:id', schema: Merged, optimistic: true, platform: transport });
  const controller = new Controller();
  await controller.set(Merged, { id: 'u' }, { id: 'u', name: 'Ann' });
  for (const name of ['first', 'second']) controller.fetch(users.partialUpdate, { id: 'u' }, { name }).catch(() => {});
  await settled();
  const [, second] = transport.calls;
  second?.answer({ id: 'u', name: 'second' });
  await settled();
  expect(controller.get(Merged, { id: 'u' })?.name).toBe('second');
});
