import { describe, expectTypeOf, test } from 'vitest';
import type { KeysToArgs, PathArgs, PathArgsAndSearch, PathKeys, ShortenPath } from './infer-path.ts';

type Id = string | number;

describe('the arguments of a path', () => {
  test('are its parameters, each a string or a number', () => {
    expectTypeOf<PathArgs<'/posts/:id'>>().toEqualTypeOf<{ readonly id: Id }>();
    expectTypeOf<PathArgs<'/users/:userId/posts/:id/edit'>>().toEqualTypeOf<{ readonly userId: Id; readonly id: Id }>();
    expectTypeOf<PathArgs<'/:a.:b-:c'>>().toEqualTypeOf<{ readonly a: Id; readonly b: Id; readonly c: Id }>();
  });

  test('with any search parameters may be undefined if none is required', () => {
    expectTypeOf<undefined>().toExtend<PathArgsAndSearch<'/posts'>>();
    expectTypeOf<undefined>().toExtend<PathArgsAndSearch<'/posts{/:id}'>>();
    expectTypeOf<undefined>().not.toExtend<PathArgsAndSearch<'/posts/:id'>>();
    expectTypeOf<{ id: string; q: string }>().toExtend<PathArgsAndSearch<'/posts/:id'>>();
  });

  test('are unknown if there are none', () => {
    expectTypeOf<PathArgs<'/posts'>>().toEqualTypeOf<unknown>();
    expectTypeOf<PathArgs<''>>().toEqualTypeOf<unknown>();
  });

  test('may be left out in an optional group, however deep', () => {
    expectTypeOf<PathArgs<'/posts{/:id}'>>().toEqualTypeOf<{ readonly id?: Id | undefined }>();
    expectTypeOf<PathArgs<'/:a{/b/:c{/:d}}/:e'>>().toEqualTypeOf<{
      readonly a: Id;
      readonly e: Id;
      readonly c?: Id | undefined;
      readonly d?: Id | undefined;
    }>();
  });

  test('are lists for wildcards', () => {
    expectTypeOf<PathArgs<'/files/*path'>>().toEqualTypeOf<{ readonly path: readonly string[] }>();
    expectTypeOf<PathArgs<'/files{/*path}/:id'>>().toEqualTypeOf<{
      readonly id: Id;
      readonly path?: readonly string[] | undefined;
    }>();
  });

  test('may have any name in quotes', () => {
    expectTypeOf<PathArgs<'/:"post-id"/*"the rest"'>>().toEqualTypeOf<{
      readonly 'post-id': Id;
      readonly 'the rest': readonly string[];
    }>();
  });

  test('are not escaped text', () => {
    expectTypeOf<PathArgs<'https\\://api.example/:id'>>().toEqualTypeOf<{ readonly id: Id }>();
    expectTypeOf<PathArgs<'/a\\:b/\\{:id\\}'>>().toEqualTypeOf<{ readonly id: Id }>();
    expectTypeOf<PathArgs<'/:id\\:archive'>>().toEqualTypeOf<{ readonly id: Id }>();
  });

  test('are read in a path that contains the characters ? and + as text', () => {
    expectTypeOf<PathArgs<'/search?q=:query+:more'>>().toEqualTypeOf<{ readonly query: Id; readonly more: Id }>();
  });

  test('may have any type for a path that is known only at run time', () => {
    expectTypeOf<PathArgs<string>>().toBeAny();
  });
});

test('the names of a path are those of all parameters', () => {
  expectTypeOf<PathKeys<'/:a{/:b}/*c'>>().toEqualTypeOf<'a' | 'b' | 'c'>();
  expectTypeOf<PathKeys<'/posts'>>().toEqualTypeOf<never>();
  expectTypeOf<KeysToArgs<'a' | 'b'>>().toEqualTypeOf<{ readonly a: Id; readonly b: Id }>();
});

test('the path of the list is that of the record without its last parameters', () => {
  expectTypeOf<ShortenPath<'/books/:id.:format'>>().toEqualTypeOf<'/books.:format'>();
  expectTypeOf<ShortenPath<'/books/:id{.:format}'>>().toEqualTypeOf<'/books{.:format}'>();
  expectTypeOf<ShortenPath<'/:lang/books/:id-:slug.:format'>>().toEqualTypeOf<'/:lang/books.:format'>();
  expectTypeOf<ShortenPath<'/books/:id-:slug'>>().toEqualTypeOf<'/books'>();
  expectTypeOf<ShortenPath<'/books/:id-:slug.json'>>().toEqualTypeOf<'/books.json'>();
  expectTypeOf<ShortenPath<'/:id'>>().toEqualTypeOf<''>();
  expectTypeOf<ShortenPath<'/posts/:id'>>().toEqualTypeOf<'/posts'>();
  expectTypeOf<ShortenPath<'/users/:userId/posts/:id'>>().toEqualTypeOf<'/users/:userId/posts'>();
  expectTypeOf<ShortenPath<'/posts/:id/edit'>>().toEqualTypeOf<'/posts'>();
  expectTypeOf<ShortenPath<'/posts{/:id}'>>().toEqualTypeOf<'/posts'>();
  expectTypeOf<ShortenPath<'/files/:id/*path'>>().toEqualTypeOf<'/files/:id'>();
  expectTypeOf<ShortenPath<'https\\://api.example/posts/:id'>>().toEqualTypeOf<'https\\://api.example/posts'>();
  expectTypeOf<ShortenPath<'/posts'>>().toEqualTypeOf<'/posts'>();
  expectTypeOf<ShortenPath<'/issues/:id.json'>>().toEqualTypeOf<'/issues.json'>();
  expectTypeOf<ShortenPath<'/issues{/:id}.json'>>().toEqualTypeOf<'/issues.json'>();
  expectTypeOf<ShortenPath<'/files/:"the id".json'>>().toEqualTypeOf<'/files.json'>();
  expectTypeOf<ShortenPath<'/issues/:id.json/edit'>>().toEqualTypeOf<'/issues'>();
  expectTypeOf<ShortenPath<'/Books\\(:ID\\)'>>().toEqualTypeOf<'/Books'>();
  expectTypeOf<ShortenPath<'/Books\\(ID=:ID,IsActive=:IsActive\\)'>>().toEqualTypeOf<'/Books'>();
  expectTypeOf<ShortenPath<'/Orders\\(:order\\)/Items\\(:id\\)'>>().toEqualTypeOf<'/Orders\\(:order\\)/Items'>();
  expectTypeOf<ShortenPath<'/a\\(b\\)/:id'>>().toEqualTypeOf<'/a\\(b\\)'>();
  expectTypeOf<ShortenPath<string>>().toEqualTypeOf<string>();
});
