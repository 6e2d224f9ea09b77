import { describe, expect, test } from 'vitest';
import { Post, Todo, User } from '../../../tests/model.ts';
import { ArraySchema } from '../schema/array.ts';
import { Collection } from '../schema/collection.ts';
import { envelope } from '../wire/envelope.ts';
import { jsonApi } from '../wire/json-api.ts';
import { snakeCased } from '../wire/snake-cased.ts';
import { BatchAnswer, BatchError, type BatchEndpoint, Outcomes } from './outcomes.ts';

const outcomesOf = (answer: unknown, sent: unknown, schema?: unknown, wire?: BatchEndpoint['wire']): Outcomes =>
  new Outcomes(new BatchAnswer(answer, new Headers()), sent, {
    name: '/',
    method: 'POST',
    sideEffect: true,
    schema,
    wire,
  });

test('a refused item without a message counts as refused', () => {
  const { refused, count } = outcomesOf([{ id: 1 }, { error: true }], undefined);
  expect(count).toBe(2);
  expect(new BatchError(refused, count, 'POST /todos').message).toContain(
    'POST /todos: 1 of 2 items were refused: [1] refused.',
  );
  expect(refused[0]?.item).toBeUndefined();
  const both = outcomesOf([{ status: 409 }, { error: 'no' }], undefined).refused;
  const error = new BatchError(both, 2, 'POST /todos');
  expect(error.name).toBe('BatchError');
  expect(error.message).toContain('2 of 2 items were refused: [0] 409; [1] no.');
});

test.each([
  ['a word', 'OK'],
  ['two lists', { done: [], left: [] }],
  ['no list', { id: 1 }],
])('an answer that is %s is one item', (_, answer) => {
  expect(outcomesOf(answer, [{ id: 1 }])).toMatchObject({
    count: 1,
    refused: [],
    values: [answer],
    isUnreadable: false,
  });
});

test.each([undefined, null, false, []].map((errors) => ({ id: 1, errors })))('the item %j is accepted', (item) => {
  expect(outcomesOf([item], [])).toMatchObject({ refused: [], values: [item] });
});

test('an accepted item without a value has the value that was sent', () => {
  const sent = [{ id: 1, title: 'A' }, { title: 'B' }, { title: 'C' }];
  expect(outcomesOf([null, { id: 2 }, { id: 3, status: 201 }], sent).values).toEqual([
    { id: 1, title: 'A' },
    { id: 2 },
    { id: 3, title: 'C' },
  ]);
  expect(outcomesOf(undefined, sent.slice(0, 1)).values).toEqual(sent.slice(0, 1));
});

test.each([
  { status: 'error', message: 'no' },
  { success: false, data: { id: 2 } },
  { ok: false, id: 2, reason: 'no' },
  { errors: ['no'] },
  { code: 599 },
  { statusCode: 400, data: { id: 2 } },
])('the item %j is refused', (item) => {
  expect(outcomesOf([{ status: 'ok', id: 1 }, item], []).refused).toMatchObject([{ index: 1 }]);
});

test.each([
  { error: 'late', data: { id: 2 } },
  { status: 100, data: { id: 2 } },
  { code: 600, data: { id: 2 } },
  { code: 4040, data: { id: 2 } },
  { status: [404], data: { id: 2 } },
  { code: 99, value: { id: 2 } },
])('the item %j, whose other fields do not mean a failure, is accepted', (item) => {
  expect(outcomesOf([item], [])).toMatchObject({ refused: [], values: [{ id: 2 }] });
});

test('a record whose own field `status` is "failed" is accepted', () => {
  const job = { id: 1, status: 'failed' };
  expect(outcomesOf([job], [])).toMatchObject({ refused: [], values: [job] });
});

test('a reason that ends with a full stop gets no second one', () => {
  const { refused, count } = outcomesOf([{ error: 'Taken.' }], undefined);
  expect(new BatchError(refused, count, 'POST /todos').message).toContain('refused: [0] Taken. See');
});

test.each([
  ['in an envelope within another', { multistatus: { response: [{ status: 'HTTP/1.1 200 OK', body: { id: 1 } }] } }],
  ['beside an object', { results: [{ statusCode: 200, body: { id: 1 } }], meta: { took: 3 } }],
  ['beside other fields', { data: { results: [{ statusCode: 200, response: { id: 1 } }] }, took: 3 }],
])('the items are found %s', (_, answer) => {
  expect(outcomesOf(answer, [{}])).toMatchObject({ count: 1, values: [{ id: 1 }], isUnreadable: false });
});

test.each([
  ['two objects with lists', { a: { done: [] }, b: { left: [] } }],
  ['a list that is too deep', { a: { b: { c: { d: [] } } } }],
  ['two lists', { done: [], left: [] }],
])('%s do not contain the outcome of each item', (_, answer) => {
  expect(outcomesOf(answer, [{ id: 1 }, { id: 2 }]).isUnreadable).toBe(true);
});

test('one reason can apply to all items', () => {
  expect(outcomesOf({ error: 'all wrong' }, [{ id: 1 }, { id: 2 }]).isUnreadable).toBe(false);
});

test.each([
  { code: 200, message: 'Saved' },
  { status: 200, body: { code: 200, message: 'Saved' } },
  { status: 200, body: 'OK' },
  { status: 201, success: true },
])('the item %j only says that it was accepted, so that the sent record counts', (item) => {
  const sent = { id: '1', name: 'Ann' };
  const { refused, values } = outcomesOf([item], [sent], [User]);
  expect(refused).toEqual([]);
  expect(values[0]).toBe(sent);
});

test('an accepted item with fields of its record, and without its pk, has them beside those that were sent', () => {
  const { values } = outcomesOf([{ status: 200, name: 'Anna', message: 'Saved' }], [{ id: '1', name: 'ann' }], [User]);
  expect(values).toMatchObject([{ id: '1', name: 'Anna' }]);
});

test('a text in an item can be a field of its record', () => {
  const post = { id: '1', title: 'A', body: 'text' };
  class Article extends Post {
    body = '';
  }
  expect(outcomesOf([post], [{ title: 'A' }], [Article]).values).toEqual([post]);
  expect(outcomesOf([{ status: 201, ...post }], [{ title: 'A' }], [Article]).values).toEqual([post]);
});

test('the status of an item can be called `status_code`', () => {
  const { refused } = outcomesOf([{ status_code: 422, body: 'Too short' }], []);
  expect(refused).toMatchObject([{ status: 422, data: 'Too short' }]);
});

describe('the items of a batch are read as their wire says', () => {
  const sent = [{ title: 'A', owner: null, notes: 'x' }];

  test.each([
    ['a list', [Todo]],
    ['a list with a schema', new ArraySchema(Todo)],
    ['a collection', new Collection([Todo])],
    ['new members of a collection', new Collection([Todo]).push],
  ])('for %s', (_, schema) => {
    const wire = envelope({ one: 'todo', many: 'todos', names: { title: 'subject' }, writeOnly: { notes: '' } });
    const record = { id: '1', title: 'A' };
    const items = [
      { status: 201, body: { todo: { id: '1', subject: 'A' } } },
      { status: 201, id: '1', subject: 'A' },
      { todo: { id: '1', subject: 'A' } },
      { status: 422, body: { errors: { subject: ['is too short'] } } },
    ];
    const { values, refused } = outcomesOf(items, [], schema, wire);
    expect(values).toEqual([record, record, record]);
    expect(refused).toMatchObject([{ index: 3, fieldErrors: { title: ['is too short'] } }]);
    for (const bare of [null, { status: 204 }, { status: 200, message: 'OK' }, { message: 'OK' }])
      expect(outcomesOf([bare], sent, schema, wire).values).toEqual([{ title: 'A', owner: null }]);
  });

  test('as documents of JSON:API, with names in another case', () => {
    const todo = { type: 'todos', id: '1', attributes: { due_on: 'x' } };
    const wire = snakeCased(jsonApi('todos'));
    const record = { type: 'todos', id: '1', dueOn: 'x' };
    const answer = {
      'atomic:results': [{ data: todo }, { status: 201, data: todo }, { status: 201, body: { data: todo } }],
    };
    expect(outcomesOf(answer, sent, [Todo], wire).values).toEqual([record, record, record]);
  });
});
