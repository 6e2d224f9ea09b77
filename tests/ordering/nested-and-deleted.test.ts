import { describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { User } from '../model.ts';
import { settled } from '../reliability/network/clock.ts';
import { type Call, Transport } from './transport.ts';

class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  static override key = 'PostOfOneUser';
  static override schema = { author: User };
}

/** A list with a user, and a list with a post that the user has written, on the screen. */
async function shown({ optimistic }: { readonly optimistic: boolean }) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const options = { platform: transport, optimistic };
  const posts = resource({ path: '/posts/:id', schema: Post, ...options });
  const users = resource({ path: '/users/:id', schema: User, ...options });
  controller.watch(users.getList, () => {});
  controller.watch(posts.getList, () => {});
  await controller.setResponse(users.getList, [{ id: '1', name: 'old' }]);
  await controller.setResponse(posts.getList, [{ id: '5', author: { id: '1', name: 'old' } }]);
  const sent = async (mutation: Promise<unknown>): Promise<Call> => {
    mutation.catch(() => {});
    await settled();
    return transport.calls.pop() as Call;
  };
  const answered = async (call: Call, ...answer: Parameters<Call['answer']>): Promise<void> => {
    call.answer(...answer);
    await settled();
  };
  return {
    controller,
    posts,
    users,
    transport,
    answered,
    sent,
    editPost: (name: string) => sent(controller.fetch(posts.partialUpdate, { id: '5' }, { author: { id: '1', name } })),
    editUser: (name: string) => sent(controller.fetch(users.partialUpdate, { id: '1' }, { name })),
    deleteUser: () => sent(controller.fetch(users.delete, { id: '1' })),
    name: () => controller.get(User, { id: '1' })?.name,
  };
}

const postWith = (name: string): unknown => ({ id: '5', author: { id: '1', name } });

describe('an edit of a record that is nested in another one, beside a deletion of the record', () => {
  test('is shown once the deletion is refused, if the deletion was issued first', async () => {
    const { answered, deleteUser, editPost, name } = await shown({ optimistic: true });
    const deletion = await deleteUser();
    await editPost('new');
    await answered(deletion, {}, { status: 403 });

    expect(name()).toBe('new');
  });

  test('is not overwritten by an earlier edit that is answered later', async () => {
    const { answered, deleteUser, editPost, editUser, name } = await shown({ optimistic: true });
    const edit = await editUser('earlier');
    const deletion = await deleteUser();
    const nested = await editPost('new');
    await answered(nested, postWith('new'));
    await answered(deletion, {}, { status: 403 });
    await answered(edit, { id: '1', name: 'earlier' });

    expect(name()).toBe('new');
  });

  test('does not bring the record back, if the deletion was issued later and is answered first', async () => {
    const { answered, controller, deleteUser, editPost, name, users } = await shown({ optimistic: true });
    await editPost('new');
    const deletion = await deleteUser();
    await answered(deletion, undefined, { status: 204 });

    expect(name()).toBeUndefined();
    expect(controller.getResponse(users.getList).data).toEqual([]);
  });

  test('does not make a read of the record wait', async () => {
    const { controller, deleteUser, editPost, transport, users } = await shown({ optimistic: true });
    await deleteUser();
    await editPost('new');
    controller.fetch(users.get, { id: '1' }).catch(() => {});
    await settled();

    expect(transport.sent).toEqual(['GET /users/1']);
  });
});

test('a nested record that an edit only refers to is not newer because the edit was answered', async () => {
  const { answered, controller, posts, sent, users, name } = await shown({ optimistic: true });
  const author = controller.get(User, { id: '1' }) as User;
  const edit = await sent(controller.fetch(posts.partialUpdate, { id: '5' }, { author }));
  const read = await sent(controller.fetch(users.get, { id: '1' }));
  await answered(edit, undefined, { status: 204 });
  await answered(read, { id: '1', name: 'changed by others' });

  expect(name()).toBe('changed by others');
});

describe('an edit of a nested record by a mutation without a guess', () => {
  test('is shown once it is answered, if it was issued after another edit that is answered first', async () => {
    const { answered, editPost, editUser, name } = await shown({ optimistic: false });
    const edit = await editUser('earlier');
    const nested = await editPost('later');
    await answered(edit, { id: '1', name: 'earlier' });
    await answered(nested, undefined, { status: 204 });

    expect(name()).toBe('later');
  });

  test('is not overwritten by an edit that was issued earlier and is answered later', async () => {
    const { answered, editPost, editUser, name } = await shown({ optimistic: false });
    const edit = await editUser('earlier');
    const nested = await editPost('later');
    await answered(nested, postWith('later'));
    await answered(edit, { id: '1', name: 'earlier' });

    expect(name()).toBe('later');
  });

  test('makes the record stale if its answer is lost', async () => {
    const { controller, editPost, sent, users, transport } = await shown({ optimistic: false });
    const read = await sent(controller.fetch(users.get, { id: '1' }));
    read.answer({ id: '1', name: 'old' });
    await settled();
    const nested = await editPost('new');
    nested.fail();
    await settled();
    void controller.fetchIfStale(users.get, { id: '1' });
    await settled();

    expect(transport.sent).toContain('GET /users/1');
  });

  test('does not change a nested record that it only refers to', async () => {
    const { answered, controller, editUser, name, posts, sent } = await shown({ optimistic: false });
    const author = { id: '1', name: 'old' };
    const edit = await editUser('new');
    const reference = await sent(controller.fetch(posts.partialUpdate, { id: '5' }, { author }));
    await answered(edit, { id: '1', name: 'new' });
    await answered(reference, undefined, { status: 204 });

    expect(name()).toBe('new');
  });
});

describe('a guess that is a copy of a record whose nested record is hidden', () => {
  test('does not edit the reference to that record', async () => {
    const { answered, controller, posts, sent, users } = await shown({ optimistic: true });
    const rename = posts.partialUpdate.extend({
      getOptimisticResponse: (snapshot, { id }, body) => Object.assign({}, snapshot.get(Post, { id }), body),
    });
    await controller.setResponse(users.get, { id: '2' }, { id: '2', name: 'other' });
    await sent(controller.fetch(posts.partialUpdate, { id: '5' }, { author: '2' } as never));
    const deletion = await sent(controller.fetch(users.delete, { id: '2' }));
    const edit = await sent(controller.fetch(rename, { id: '5' }, { title: 'new' }));
    await answered(edit, { id: '5', title: 'new' });
    await answered(deletion, {}, { status: 403 });

    expect(controller.get(Post, { id: '5' })).toMatchObject({ title: 'new', author: { name: 'other' } });
  });
});
