import { describe, expectTypeOf, it } from 'vitest';
import type BigNumber from 'bignumber.js';
import { All } from './all.ts';
import { ArraySchema } from './array.ts';
import { Collection } from './collection.ts';
import { Entity, type EntityInterface, isEntity } from './entity.ts';
import { EntityMixin } from './entity-mixin.ts';
import type {
  AbstractInstanceType,
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  Normalize,
  Queryable,
  Schema,
  SchemaArgs,
  List,
} from './infer-schema.ts';
import { Invalidate } from './invalidate.ts';
import { Lazy } from './lazy.ts';
import { ObjectSchema } from './object.ts';
import { Query } from './query.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';
import { Union } from './union.ts';
import { validateRequired } from './required.ts';
import { Scalar } from './scalar.ts';
import { Values } from './values.ts';

class User extends Entity {
  id = '';
  name = '';
  posts: Post[] = [];
  static override key = 'User';
}
class Post extends Entity {
  id = '';
  title = '';
  likes = 0;
  author = User.fromJS();
  createdAt = new Date(0);
  static override key = 'Post';
  static override schema = { author: User, createdAt: (iso: string) => new Date(iso) };
}
User.schema = { ...User.schema, posts: [Post] };

class Video extends Entity {
  id = '';
  kind = 'video';
  url = '';
}
class Image extends Entity {
  id = '';
  kind = 'image';
  width = 0;
}

describe('fromJS', () => {
  it('can be overridden, in each of the ways in which this is usually typed', () => {
    class Whole extends Entity {
      static override fromJS(this: typeof Entity, props: any = {}) {
        return super.fromJS(props) as any;
      }
    }
    class Generic extends Entity {
      static override fromJS<T extends typeof Entity>(this: T, props: Partial<InstanceType<T>> = {}): InstanceType<T> {
        return super.fromJS(props) as InstanceType<T>;
      }
    }
    class Untyped extends Entity {
      static override fromJS(props: any) {
        return super.fromJS(props) as any;
      }
    }
    expectTypeOf([Whole, Generic, Untyped]).toExtend<(typeof Entity)[]>();
  });

  it('takes fields of the class alone', () => {
    class Item extends Entity {
      id = '';
    }
    expectTypeOf(Item.fromJS({ id: '1' })).toEqualTypeOf<Item>();
    expectTypeOf(Item.fromJS()).toEqualTypeOf<Item>();
    // @ts-expect-error there is no such field
    Item.fromJS({ name: 'x' });
  });
});

describe('an entity', () => {
  it('is made with its defaults by fromJS, whose props are its fields', () => {
    expectTypeOf(User.fromJS()).toEqualTypeOf<User>();
    expectTypeOf(Post.fromJS({ title: 'Hi' }).author.posts).toEqualTypeOf<Post[]>();
    // @ts-expect-error no such field
    User.fromJS({ nmae: 'Ann' });
    // @ts-expect-error of another type
    User.fromJS({ name: 5 });
  });

  it('is an EntityInterface, a Schema and a Queryable, and so is a subclass', () => {
    class Admin extends User {
      level = 1;
    }
    expectTypeOf(User).toExtend<EntityInterface>();
    expectTypeOf(Admin).toExtend<EntityInterface>();
    expectTypeOf(User).toExtend<Schema>();
    expectTypeOf(User).toExtend<Queryable>();
    expectTypeOf(Admin.fromJS()).toEqualTypeOf<Admin>();
    expectTypeOf<AbstractInstanceType<typeof Admin>>().toEqualTypeOf<Admin>();
  });

  it('takes hooks with fewer parameters and with types of their own', () => {
    interface TodoRow {
      readonly id: number;
      readonly userId: number;
    }
    class Todo extends Entity {
      id = 0;
      userId = 0;
      user?: User | undefined = undefined;
      static override process(todo: TodoRow): object {
        return { ...todo, user: todo.userId };
      }
      static override merge(existing: TodoRow, incoming: TodoRow): TodoRow {
        return { ...existing, ...incoming };
      }
      static override validate(processed: TodoRow): string | undefined {
        return validateRequired(processed, this.defaults) ?? super.validate(processed);
      }
      override pk(): string {
        return String(this.id);
      }
    }
    class Named extends Entity {
      name = '';
      static override process(value: any, parent: any, key: string | undefined, args: any[]) {
        return { ...super.process(value, parent, key, args), name: key };
      }
    }
    expectTypeOf(Todo).toExtend<EntityInterface>();
    expectTypeOf(Named).toExtend<EntityInterface>();
    expectTypeOf<Denormalize<typeof Todo>>().toEqualTypeOf<Todo>();
  });

  it('accepts a schema that is assigned later, also over one of its own', () => {
    class Tag extends Entity {
      id = '';
      createdAt = new Date(0);
      static override schema: Record<string, Schema> = { createdAt: (iso: string) => new Date(iso) };
    }
    Tag.schema = { ...Tag.schema, posts: [Post] };
    expectTypeOf(Tag).toExtend<EntityInterface>();
  });

  it('can be made from any class', () => {
    class Plain {
      slug = '';
      votes = 0;
    }
    class Poll extends EntityMixin(Plain, { pk: 'slug', key: 'Poll' }) {
      shout(): string {
        return this.slug.toUpperCase();
      }
    }
    const Direct = EntityMixin(Plain, { pk: (value) => value.slug, schema: { votes: Number } });
    expectTypeOf(Poll.fromJS({ votes: 1 })).toEqualTypeOf<Poll>();
    expectTypeOf(Poll.fromJS().votes).toEqualTypeOf<number>();
    expectTypeOf(new Poll().pk()).toEqualTypeOf<string | number | undefined>();
    expectTypeOf(Poll).toExtend<EntityInterface>();
    expectTypeOf(Direct).toExtend<EntityInterface>();
    expectTypeOf<Denormalize<typeof Poll>>().toEqualTypeOf<Poll>();
    expectTypeOf<Denormalize<typeof Direct>['votes']>().toEqualTypeOf<number>();
    // @ts-expect-error no such field
    EntityMixin(Plain, { pk: 'id' });
    // @ts-expect-error no such field
    EntityMixin(Plain, { schema: { vote: Number } });
  });

  it('differs from other schemas', () => {
    const schema: unknown = User;
    expectTypeOf(isEntity(schema) ? schema.key : '').toEqualTypeOf<string>();
  });
});

describe('the type of the value of a schema', () => {
  it('follows shorthands, functions and classes', () => {
    expectTypeOf<Denormalize<typeof Post>>().toEqualTypeOf<Post>();
    expectTypeOf<Denormalize<[typeof Post]>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<Denormalize<{ results: (typeof Post)[]; next: string }>>().toEqualTypeOf<{
      readonly results: List<Post>;
      readonly next: string;
    }>();
    expectTypeOf<Denormalize<typeof Number>>().toEqualTypeOf<number>();
    expectTypeOf<Denormalize<typeof Date>>().toEqualTypeOf<Date>();
    expectTypeOf<Denormalize<typeof BigNumber>>().toEqualTypeOf<BigNumber>();
    expectTypeOf<Denormalize<(iso: string) => Date>>().toEqualTypeOf<Date>();
    expectTypeOf<Denormalize<undefined>>().toEqualTypeOf<undefined>();
    expectTypeOf<Denormalize<any>>().toBeAny();
  });

  it('follows the schema classes', () => {
    const array = new ArraySchema(Post);
    const object = new ObjectSchema({ author: User, tags: [Post] });
    const values = new Values(Post);
    const union = new Union({ video: Video, image: Image }, 'kind');
    const media = new ArraySchema({ video: Video, image: Image }, 'kind');
    expectTypeOf<Denormalize<typeof array>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<Denormalize<typeof object>>().toEqualTypeOf<{ readonly author: User; readonly tags: List<Post> }>();
    expectTypeOf<Denormalize<typeof values>>().toEqualTypeOf<Readonly<Record<string, Post>>>();
    expectTypeOf<Denormalize<typeof union>>().toEqualTypeOf<Video | Image>();
    expectTypeOf<Denormalize<typeof media>>().toEqualTypeOf<List<Video | Image>>();
    expectTypeOf<Denormalize<[typeof union]>>().toEqualTypeOf<List<Video | Image>>();
    expectTypeOf<Denormalize<All<typeof Post>>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<Denormalize<Invalidate<typeof Post>>>().toEqualTypeOf<Post>();
    expectTypeOf<Denormalize<Lazy<(typeof Post)[]>>>().toEqualTypeOf<string[]>();
    // @ts-expect-error distinguished by a field that none of them has
    new Union({ video: Video, image: Image }, 'type');
  });

  it('follows collections and their adders', () => {
    const posts = new Collection([Post]);
    const byName = new Collection(new Values(Post));
    const media = new Collection([new Union({ video: Video, image: Image }, 'kind')]);
    expectTypeOf<Denormalize<typeof posts>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<Denormalize<typeof posts.push>>().toEqualTypeOf<Post>();
    expectTypeOf<Denormalize<typeof posts.remove>>().toEqualTypeOf<Post>();
    expectTypeOf<Denormalize<typeof posts.move>>().toEqualTypeOf<Post>();
    expectTypeOf<Denormalize<typeof byName>>().toEqualTypeOf<Readonly<Record<string, Post>>>();
    expectTypeOf<Denormalize<typeof byName.assign>>().toEqualTypeOf<Record<string, Post>>();
    expectTypeOf<Denormalize<typeof media.unshift>>().toEqualTypeOf<Video | Image>();
    new Collection([Post], { argsKey: (params: { userId: string }) => ({ userId: params.userId }) });
    new Collection([Post], { nestKey: (parent: User, key) => ({ [key]: parent.id }) });
    // @ts-expect-error one or the other
    new Collection([Post], { nonFilterArgumentKeys: ['sort'], createCollectionFilter: () => () => true, argsKey: 5 });
  });

  it('includes undefined if there may be nothing', () => {
    expectTypeOf<DenormalizeNullable<typeof Post>>().toEqualTypeOf<Post | undefined>();
    expectTypeOf<DenormalizeNullable<(typeof Post)[]>>().toEqualTypeOf<List<Post> | undefined>();
    expectTypeOf<DenormalizeNullable<{ results: Collection<(typeof Post)[]>; next: string }>>().toEqualTypeOf<{
      readonly results: List<Post> | undefined;
      readonly next: string;
    }>();
    expectTypeOf<DenormalizeNullable<Values<typeof Post>>>().toEqualTypeOf<
      Readonly<Record<string, Post>> | undefined
    >();
    expectTypeOf<DenormalizeNullable<any>>().toBeAny();
  });

  it('is what denormalize returns in a schema of your own', () => {
    class Upper implements SchemaSimple {
      normalize(input: unknown, _parent: unknown, _key: string | undefined, _delegate: NormalizeDelegate): string {
        return String(input);
      }
      denormalize(stored: string): Uppercase<string> {
        return stored.toUpperCase() as Uppercase<string>;
      }
      queryKey(_args: readonly [name: string]): undefined {
        return undefined;
      }
    }
    expectTypeOf<Denormalize<Upper>>().toEqualTypeOf<Uppercase<string>>();
    expectTypeOf<Normalize<Upper>>().toEqualTypeOf<string>();
    expectTypeOf<SchemaArgs<Upper>>().toEqualTypeOf<readonly [name: string]>();
  });
});

describe('the stored form of a schema', () => {
  it('has a pk in place of a record', () => {
    const union = new Union({ video: Video, image: Image }, 'kind');
    expectTypeOf<Normalize<{ results: (typeof Post)[]; next: string }>>().toEqualTypeOf<{
      results: string[];
      next: string;
    }>();
    expectTypeOf<Normalize<Collection<(typeof Post)[]>>>().toEqualTypeOf<string>();
    expectTypeOf<Normalize<typeof union>>().toEqualTypeOf<{
      readonly id: string;
      readonly schema: 'video' | 'image';
    }>();
  });
});

describe('the arguments of a read', () => {
  it('are the fields of an entity, or its pk', () => {
    expectTypeOf<SchemaArgs<typeof Image>>().toEqualTypeOf<[key: EntityFields<Image> | string | number]>();
    const byWidth: SchemaArgs<typeof Image> = [{ id: 5, width: '3' }];
    expectTypeOf(byWidth).not.toBeAny();
    // @ts-expect-error no such field
    const wrong: SchemaArgs<typeof Image> = [{ heigth: 5 }];
    expectTypeOf(wrong).not.toBeAny();
    // @ts-expect-error methods are not fields
    const method: SchemaArgs<typeof Image> = [{ pk: () => '' }];
    expectTypeOf(method).not.toBeAny();
  });

  it('are those of a collection, and none for All', () => {
    const byUser = new Collection([Post], { argsKey: (params: { userId: string }) => ({ ...params }) });
    expectTypeOf<SchemaArgs<typeof byUser>>().toEqualTypeOf<[params: { userId: string }]>();
    expectTypeOf<SchemaArgs<All<typeof Post>>>().toEqualTypeOf<[]>();
    expectTypeOf<SchemaArgs<Values<typeof Post>>>().toBeNever();
  });

  it('are those of process and of the schema inside for a Query', () => {
    const sorted = new Query(new All(Post), (posts, { by }: { by: 'title' | 'likes' }) =>
      [...posts].sort((a, b) => (a[by] < b[by] ? -1 : 1)),
    );
    const title = new Query(Post, (post) => post.title);
    const first = new Query(new Collection([Post]), (posts) => posts[0]);
    expectTypeOf<SchemaArgs<typeof sorted>>().toEqualTypeOf<[{ by: 'title' | 'likes' }]>();
    expectTypeOf<Denormalize<typeof sorted>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<DenormalizeNullable<typeof title>>().toEqualTypeOf<string | undefined>();
    expectTypeOf<SchemaArgs<typeof title>>().toEqualTypeOf<SchemaArgs<typeof Post>>();
    expectTypeOf<Denormalize<typeof first>>().toEqualTypeOf<Post | undefined>();
    // @ts-expect-error there is no such field
    new Query(new All(Post), (posts) => posts.map((post) => post.heading));
  });

  it('are the stored value, or those of the schema inside, for Lazy', () => {
    const lazy = new Lazy([Post]);
    const one = new Lazy(Post);
    expectTypeOf<Denormalize<typeof lazy.query>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<SchemaArgs<typeof lazy.query>>().toEqualTypeOf<[stored: readonly string[]]>();
    expectTypeOf<SchemaArgs<typeof one.query>>().toExtend<SchemaArgs<typeof Post> | [stored: string]>();
  });

  it('exist only for schemas that can be read', () => {
    expectTypeOf(new All(Post)).toExtend<Queryable>();
    expectTypeOf(new Collection([Post])).toExtend<Queryable>();
    expectTypeOf(new Query(Post, (post) => post.title)).toExtend<Queryable>();
    expectTypeOf(new Union({ video: Video, image: Image }, 'kind')).toExtend<Queryable>();
    expectTypeOf(new ObjectSchema({ post: Post })).toExtend<Queryable>();
    expectTypeOf(new Lazy([Post]).query).toExtend<Queryable>();
    expectTypeOf(new ArraySchema(Post)).not.toExtend<Queryable>();
    expectTypeOf(new Values(Post)).not.toExtend<Queryable>();
    expectTypeOf(new Lazy([Post])).not.toExtend<Queryable>();
    expectTypeOf(new Invalidate(Post)).not.toExtend<Queryable>();
  });
});

describe('an entity with fields that depend on the reader', () => {
  const share = new Scalar({
    key: 'share',
    lens: (args: readonly { readonly portfolio?: string }[]) => args[0]?.portfolio,
  });
  const price = new Scalar({
    key: 'price',
    lens: (args: readonly { readonly currency: 'EUR' | 'USD' }[]) => args[0]?.currency,
  });
  const loose = new Scalar({ key: 'loose', lens: (args) => args[0]?.anything });
  class Company extends Entity {
    id = '';
    share: number | undefined = undefined;
    price: number | undefined = undefined;
    static override schema = { share, price, owner: User };
  }
  class Fund extends Entity {
    id = '';
    worth: number | undefined = undefined;
    static override schema = { worth: loose };
  }
  function ask<S extends Queryable>(_schema: S, ..._args: SchemaArgs<S>): void {}

  it('is read with the arguments of their lenses', () => {
    ask(Company, { id: '1', portfolio: 'A', currency: 'EUR' });
    ask(Company, '1');
    // @ts-expect-error nothing looks for it
    ask(Company, { id: '1', currency: 'EUR', portfoil: 'A' });
    // @ts-expect-error not a currency
    ask(Company, { id: '1', currency: 'GBP' });
    // @ts-expect-error an id is text or a number
    ask(Company, { id: true, currency: 'EUR' });
    expectTypeOf<SchemaArgs<typeof share>>().toEqualTypeOf<readonly { readonly portfolio?: string }[]>();
  });

  it('is read with anything if a lens does not type its arguments', () => {
    ask(Fund, { id: '1', anything: 5 });
    expectTypeOf({ id: '1', anything: 5 }).toExtend<SchemaArgs<typeof Fund>[0]>();
    // @ts-expect-error an id is text or a number
    ask(Fund, { id: true });
  });
});
