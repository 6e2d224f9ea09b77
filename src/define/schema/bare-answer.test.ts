import { describe, expect, it } from 'vitest';
import { Post, Todo, User } from '../../../tests/model.ts';
import {
  entitiesIn,
  isBareAnswer,
  isSoleRecord,
  memberSchemas,
  membersWithRecords,
  withoutRecord,
} from './bare-answer.ts';
import { Collection } from './collection.ts';
import { Invalidate } from './invalidate.ts';
import { ObjectSchema } from './object.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

const todos = new Collection([Todo]);
const map = new Collection(new Values(Todo));
const either = new Union({ todo: Todo, post: Post }, () => 'todo');

describe('the classes of the records in a schema', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ['a class', Todo, [Todo]],
    ['a list', [Todo], [Todo]],
    ['a union', either, [Todo, Post]],
    ['a map', new Values(Todo), [Todo]],
    ['an object', { list: [Todo], inner: { user: User }, count: 0 }, [Todo, User]],
    ['the addition to a collection', todos.push, [Todo]],
    ['a deletion', new Invalidate(Todo), [Todo]],
    ['no schema', undefined, []],
  ])('are found in %s', (_what, schema, entities) => {
    expect(entitiesIn(schema)).toEqual(entities);
  });

  it('are found in a schema that contains itself', () => {
    const schema: Record<string, unknown> = { todo: Todo };
    schema['self'] = schema;
    expect(new Set(entitiesIn(schema))).toEqual(new Set([Todo]));
  });
});

describe('an answer that is a list', () => {
  const one = [{ id: '1' }];

  it('counts as one record if it has one, for a class, a union, a deletion or an addition to a list', () => {
    for (const schema of [Todo, either, new Invalidate(Todo), todos.push]) expect(isSoleRecord(schema, one)).toBe(true);
  });

  it('does not count as one record for a schema of lists or maps, or if it has none or several', () => {
    for (const schema of [[Todo], new Values(Todo), map.assign, { todo: Todo }])
      expect(isSoleRecord(schema, one)).toBe(false);
    for (const answer of [[], [...one, ...one], one[0], undefined]) expect(isSoleRecord(Todo, answer)).toBe(false);
  });
});

it('the members of an envelope that hold records are classes, schemas and lists, and no other values', () => {
  const members = {
    todo: Todo,
    list: [Todo],
    union: either,
    count: 0,
    convert: (text: string) => Number(text),
    none: undefined,
  };
  expect(membersWithRecords(members)).toEqual(['todo', 'list', 'union']);
  expect(memberSchemas(new ObjectSchema(members))).toEqual(members);
  expect(memberSchemas([Todo])).toBeUndefined();
  expect(memberSchemas(Todo)).toBeUndefined();
});

it('the fields beside a record are those that its class does not have, and all of them if there is no pk', () => {
  expect(withoutRecord(Todo, { id: '1', title: 'a', owner: 'u', page: 2 })).toEqual({ page: 2 });
  const answer = { title: 'a', page: 2 };
  expect(withoutRecord(Todo, answer)).toBe(answer);
  expect(withoutRecord(undefined, answer)).toBe(answer);
});

describe('the answer to a mutation', () => {
  it.each<[unknown, unknown, readonly unknown[]]>([
    [Todo, undefined, []],
    [Todo, null, []],
    [Todo, '', []],
    [Todo, 'OK', []],
    [Todo, 1, []],
    [Todo, {}, []],
    [Todo, [], []],
    [Todo, { ok: true }, []],
    [{ todo: Todo }, { status: 'done' }, []],
    [[Todo], {}, [[{ id: '1' }]]],
  ])('with the schema %o has no data if it is %o', (schema, answer, args) => {
    expect(isBareAnswer(schema, answer, args)).toBe(true);
  });

  it.each<[unknown, unknown, readonly unknown[]]>([
    [undefined, undefined, []],
    [Todo, { id: '1' }, []],
    [Todo, { title: 'a' }, []],
    [Todo, { data: { todo: { id: '1' } } }, []],
    [Todo, [], [[{ id: '1' }]]],
    [[Todo], [], []],
    [[Todo], {}, []],
    [new Values(Todo), {}, []],
    [{ todo: Todo }, { todo: { other: 1 } }, []],
    [new Invalidate(Todo), '1', []],
    [new ObjectSchema({}), { ok: true }, []],
  ])('with the schema %o has data if it is %o', (schema, answer, args) => {
    expect(isBareAnswer(schema, answer, args)).toBe(false);
  });
});
