import { describe, expectTypeOf, test } from 'vitest';
import { Todo, type User } from '../../../tests/model.ts';
import { Entity } from './entity.ts';
import type { DefaultArgs, Denormalize, Loose } from './infer-schema.ts';
import type { PolymorphicInterface } from './infer-schema-aliases.ts';
import { schema } from './namespace.ts';

describe('the classes of schema', () => {
  test('are types by the same names', () => {
    expectTypeOf(new schema.Collection([Todo])).toExtend<schema.Collection<[typeof Todo]>>();
    expectTypeOf(new schema.Union({ todo: Todo }, () => 'todo' as const)).toExtend<
      schema.Union<{ todo: typeof Todo }>
    >();
    expectTypeOf(new schema.Values(Todo)).toExtend<schema.Values<typeof Todo>>();
    expectTypeOf(new schema.Array(Todo)).toExtend<schema.Array<typeof Todo>>();
    expectTypeOf(new schema.All(Todo)).toExtend<schema.All<typeof Todo>>();
    expectTypeOf(new schema.Invalidate(Todo)).toExtend<schema.Invalidate<typeof Todo>>();
    expectTypeOf(new schema.Object({ todo: Todo })).toExtend<schema.Object<{ todo: typeof Todo }>>();
    expectTypeOf(new schema.Lazy(Todo)).toExtend<schema.Lazy<typeof Todo>>();
    expectTypeOf(new schema.Query(Todo, ({ id }) => id)).toExtend<schema.Query<typeof Todo>>();
    expectTypeOf<Denormalize<schema.Collection<[typeof Todo], [{ group: string }]>>>().toExtend<Todo[]>();
  });

  test('have the types of their contents', () => {
    expectTypeOf(new schema.Collection([Todo])).not.toExtend<schema.Collection<[typeof User]>>();
    expectTypeOf(new schema.Values(Todo)).not.toExtend<schema.Union<{ todo: typeof Todo }>>();
  });

  test('stand in the schema of a class, and can be extended', () => {
    class List extends schema.Collection<[typeof Todo]> {}
    class Group extends Entity {
      id = '';
      todos: Todo[] = [];
      static override schema: { todos: schema.Collection<[typeof Todo]> } = { todos: new List([Todo]) };
    }
    expectTypeOf(Group.schema.todos).toExtend<schema.Collection<[typeof Todo]>>();
    class Sorted<
      S extends readonly unknown[] | PolymorphicInterface = Loose,
      Args extends readonly unknown[] = DefaultArgs,
      Parent = Loose,
    > extends schema.Collection<S, Args, Parent> {}
    expectTypeOf(new Sorted([Todo])).toExtend<schema.Collection>();
    expectTypeOf(Todo).toExtend<schema.EntityInterface<Todo>>();
  });
});
