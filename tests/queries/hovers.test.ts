import { createRequire } from 'node:module';
import { join } from 'node:path';
import newest from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const oldest = createRequire(join(root, 'tests/consumers/package.json'))('typescript') as typeof newest;

/** What an editor shows for each constant below, without line breaks. */
const SHOWN = {
  // Queries: the items, the arguments, and the class of the records.
  'from(Post)': 'LiveQuery<Post, [], typeof Post>',
  "from(Post).where({ votes: { gt: 5 } }).orderBy('votes', 'desc').limit(10)": 'LiveQuery<Post, [], typeof Post>',
  "from(Post).where({ votes: arg('votes') })":
    'LiveQuery<Post, [args: Readonly<Record<"votes", number>>], typeof Post>',
  "from(Post).limit(arg('size')).offset(arg('first'))":
    'LiveQuery<Post, [args: { readonly size: number; readonly first: number; }], typeof Post>',
  'from(User).with({ posts: User.posts.with({ comments: Post.comments }) })':
    'LiveQuery<User & { readonly posts: List<Post & { readonly comments: List<Comment>; }>; }, [], typeof User>',
  "from(Post).groupBy('published', { total: count(), best: max(({ votes }) => votes) })":
    'LiveQuery<{ readonly published: boolean; readonly total: number; readonly best: number | undefined; }, [], unknown>',
  "from(Comment).join('writer', User, on('userId', 'id'))":
    'LiveQuery<Comment & { readonly writer: User; }, [], ItemsOf<typeof Comment>>',
  'from(Post).select(({ title }) => title)': 'LiveQuery<string | null, [], Selected<Post>>',
  'from(Post).count()': 'LiveQuery<Post, [], Returning<"count", typeof Post>>',
  'User.posts': 'LiveQuery<Post, readonly [owner: string | number | User], typeof Post>',
  'Post.comments': 'LiveQuery<Comment, readonly [owner: string | OwnerByPk<typeof Comment, "postId">], typeof Comment>',
  'Comment.user': 'BelongsTo<Readonly<Record<"userId", unknown>>, User>',
  // What components and scripts get.
  'useQuery(User.posts, user)': 'List<Post> | undefined',
  'useQuery(from(Post).with({ comments: Post.comments }))':
    'List<Post & { readonly comments: List<Comment>; }> | undefined',
  "useQuery(from(Post).orderBy('votes').one())": 'Post | undefined',
  "useSuspense(posts.get, { id: '5' })": 'Post',
  "useDLE(posts.getList, { author: '5' })": 'DLE<List<Post>, List<Post> | undefined>',
  'posts.get': 'RestEndpointInstance<OfRecord<"GET", "/posts/:id", typeof Post, {}>>',
  "controller.fetch(posts.getList.push, [{ title: 'Joins' }])": 'Promise<List<Post>>',
  'new Endpoint(async (id: string) => ({ id }), { schema: Post })':
    'EndpointInstance<(id: string) => Promise<{ id: string; }>, typeof Post, undefined>',
};

const SOURCE = `
import { arg, type Controller, count, Endpoint, from, max, on } from 'rejoin';
import { useDLE, useQuery, useSuspense } from 'rejoin/react';
import { Comment, Post, posts, User } from './programs.ts';
declare const user: User;
declare const controller: Controller;
`;

/** Returns what an editor with this compiler shows for constants with these values. */
function shown(ts: typeof newest, values: readonly string[]): readonly string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { readonly config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const name = join(import.meta.dirname, 'hovered.ts');
  const text = SOURCE + values.map((value, nth) => `const hovered${nth} = ${value};\n`).join('');
  const read = (file: string): string | undefined => (file === name ? text : ts.sys.readFile(file));
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    // Without the types of browsers and of Node, which take most of the time and which nothing here shows.
    getCompilationSettings: () => ({ ...options, lib: ['lib.es2023.d.ts'], types: [] }),
    getScriptFileNames: () => [name],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const found = read(file);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    readFile: read,
    fileExists: (file) => file === name || ts.sys.fileExists(file),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return values.map((_, nth) => {
    const at = text.indexOf(`hovered${nth} `);
    const parts = service.getQuickInfoAtPosition(name, at)?.displayParts ?? [];
    return ts
      .displayPartsToString([...parts])
      .replace(`const hovered${nth}: `, '')
      .split(/\s+/)
      .join(' ');
  });
}

test.each([oldest, newest])('an editor shows items and arguments, and no inner types: TypeScript $version', (ts) => {
  const values = Object.keys(SHOWN);
  const found = shown(ts, values);
  expect(Object.fromEntries(values.map((value, nth) => [value, found[nth]]))).toEqual(SHOWN);
});
