import { expect, test } from 'vitest';
import { actionTypes, Collection, Controller, Entity, Invalidate, resource } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Comment extends Entity {
  id = '';
  postId = '';
  text = '';
  static override key = 'Comment';
}
class Post extends Entity {
  id = '';
  title = '';
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    comments: new Collection([Comment], { nestKey: ({ id }: { readonly id: string }) => ({ postId: id }) }),
  };
}
const OLD = { id: '1', postId: '1', text: 'old' };
const ELSEWHERE = { id: '2', postId: '2', text: 'new' };
const BEFORE = { id: '1', title: 'new', comments: [OLD] };

/** A post with one comment, on a screen that shows the comments, and an edit of the post that is pending. */
async function scene() {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const options = { optimistic: true, platform: transport };
  const posts = resource({ ...options, path: '/posts/:id', schema: Post });
  const comments = resource({
    ...options,
    path: '/comments/:id',
    schema: Comment,
    searchParams: {} as { readonly postId: string },
  });
  const { getList } = comments;
  await controller.setResponse(posts.get, { id: '1' }, { ...BEFORE, title: 'old' });
  await controller.setResponse(getList, { postId: '1' }, [OLD]);
  const frames: string[] = [];
  controller.watch(getList, { postId: '1' }, (list) => {
    const frame = 'value' in list ? list.value.map(({ text }) => text).join(' ') : list.status;
    if (frame !== frames.at(-1)) frames.push(frame);
  });
  const renamed = controller.fetch(posts.partialUpdate, { id: '1' }, { title: 'new' });
  await settled();
  const answer = async (call: string, value: unknown): Promise<void> => {
    transport.take(call).answer(value);
    await settled();
  };
  return { transport, controller, comments, frames, renamed, answer };
}

test('a record whose create was answered while an edit was pending stays in a list that the answer of the edit has without it', async () => {
  const { transport, controller, comments, frames, answer } = await scene();
  void controller.fetch(comments.getList.push, { postId: '1', text: 'new' });
  await settled();
  await answer('POST /comments', { ...ELSEWHERE, postId: '1' });
  await answer('PATCH /posts/1', BEFORE);
  expect(frames).toEqual(['old', 'old new']);
  // The server may have deleted it meanwhile.
  await answer('GET /comments?postId=1', [OLD]);
  expect(frames).toEqual(['old', 'old new', 'old']);
  expect(transport.sent).toEqual([]);
});

test('a record that another edit has moved into a list stays in it', async () => {
  const { controller, comments, frames, answer } = await scene();
  void controller.set(Comment, { id: '2' }, ELSEWHERE);
  void controller.fetch(comments.partialUpdate, { id: '2' }, { postId: '1' });
  await settled();
  await answer('PATCH /comments/2', { ...ELSEWHERE, postId: '1' });
  await answer('PATCH /posts/1', BEFORE);
  await answer('GET /comments?postId=1', [OLD, { ...ELSEWHERE, postId: '1' }]);
  expect(frames).toEqual(['old', 'old new']);
});

test('a record that a message has added to a list stays in it', async () => {
  const { controller, comments, frames, answer } = await scene();
  await controller.dispatch({
    type: actionTypes.SET,
    schema: comments.getList.schema.push,
    args: [],
    value: { ...ELSEWHERE, postId: '1' },
    ticket: controller.store.begin(),
  });
  await answer('PATCH /posts/1', BEFORE);
  await answer('GET /comments?postId=1', [OLD, { ...ELSEWHERE, postId: '1' }]);
  expect(frames).toEqual(['old', 'old new']);
});

test('a record that was created while an edit was pending is not fetched if the answer of the edit has it', async () => {
  const { transport, controller, comments, frames, answer } = await scene();
  void controller.fetch(comments.getList.push, { postId: '1', text: 'new' });
  await settled();
  await answer('POST /comments', { ...ELSEWHERE, postId: '1' });
  await answer('PATCH /posts/1', { ...BEFORE, comments: [OLD, { ...ELSEWHERE, postId: '1' }] });
  expect(frames).toEqual(['old', 'old new']);
  expect(transport.sent).toEqual([]);
});

test('the list in the answer of an edit replaces one that was read while the edit was pending', async () => {
  const { controller, comments, frames, renamed, answer } = await scene();
  void controller.fetch(comments.getList, { postId: '1' });
  await settled();
  await answer('GET /comments?postId=1', [OLD, { ...ELSEWHERE, postId: '1' }]);
  await answer('PATCH /posts/1', BEFORE);
  await renamed;
  expect(frames).toEqual(['old', 'old new', 'old']);
});

test('a record that messages add and delete while its create is pending is not shown again when the create is answered', async () => {
  const { controller, comments, frames, answer } = await scene();
  const created = { ...ELSEWHERE, postId: '1' };
  void controller.fetch(comments.getList.push, { postId: '1', text: 'new' });
  await settled();
  const type = actionTypes.SET;
  const { push } = comments.getList.schema;
  await controller.dispatch({ type, schema: push, args: [], value: created, ticket: controller.store.begin() });
  const schema = new Invalidate(Comment);
  await controller.dispatch({ type, schema, args: [], value: { id: '2' }, ticket: controller.store.begin() });
  await answer('POST /comments', created);
  await answer('PATCH /posts/1', BEFORE);
  expect(frames.at(-1)).toBe('old');
});
