import { type ReactNode, useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { from } from 'rejoin';
import { AsyncBoundary, DataProvider, useQuery, useSuspense } from 'rejoin/react';
import { User } from '../model.ts';
import { show, until } from '../react/harness.tsx';
import { getUsers, page, rename, tools } from './devtools-page.tsx';

const detailHas =
  (detail: () => string, text: string): (() => Promise<void>) =>
  () =>
    until(
      () => detail().includes(text),
      () => `${text} in ${detail()}`,
    );

test('the tools show in two clicks which hook of which component has rendered, and because of which field, commit and request', async () => {
  const { controller, detail, press, text } = await page();
  await controller.fetch(rename, { id: '7' }, { name: 'Anna' });
  await until(() => text() === 'Anna,Bob,Bob');

  await press('[role=tab]', 'Renders');
  await press('.line', 'Names useSuspense getPosts []: User 7 name');
  await detailHas(detail, 'because what it reads has changed')();
  expect(detail()).toMatch(
    /^Namesuse\w+ getPosts \[\].*User 7 changed name: "Ann" "Anna" at \[0\]\.author\.nameby #\d+ the answer of rename \[.*\] request #\d+$/,
  );
  await press('.detail .link', 'request #');
  await detailHas(detail, 'Mutation, done')();
  expect(detail()).toMatch(/Changed#\d+ the answer of rename .*: 1 rows/);
});

test('the tools distinguish renders because of a parent from renders because of a record, and name the hooks of an application', async () => {
  const { controller, detail, press } = tools();
  const users = from(User).orderBy('id');
  const useUserNames = (): readonly string[] => useQuery(users)?.map(({ name }) => name) ?? [];
  function Inner(): ReactNode {
    return useUserNames().join();
  }
  function Outer(): ReactNode {
    const [count, setCount] = useState(0);
    return (
      <button id="outer" onClick={() => setCount(count + 1)}>
        {count} <Inner />
      </button>
    );
  }
  await controller.set(User, { id: '7' }, { id: '7', name: 'Ann' });
  const { text } = show(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="loading">
        <Outer />
      </AsyncBoundary>
    </DataProvider>,
  );
  await until(() => text() === '0 Ann');
  await press('.open', 'Rejoin');
  await press('[role=tab]', 'Renders');
  await press('.line', 'Inner useUserNames › useQuery 1 member: first render');
  document.querySelector<HTMLElement>('#outer')?.click();
  await press('.line', 'rendered again, its data has not changed');
  await detailHas(detail, 'rendered by its parent')();
  await controller.set(User, { id: '8' }, { id: '8', name: 'Bob' });
  await press('.line', 'User 8 joined');
  await detailHas(detail, 'User 8 joined [1]')();
  controller.store.invalidate(User, '8');
  await press('.line', 'User 8 left');
  await until(() => detail().includes('left the list'));
  expect(detail()).toMatch(/^InneruseUserNames › useQuery .*User 8 left the list/);
});

test('the tools show which optimistic update hides the stored value of a field, and the stored value', async () => {
  const { controller, detail, press, root } = await page();
  let resolve: (answer: { readonly id: string; readonly name: string }) => void = () => {};
  const slow = rename.extend({
    name: 'slowRename',
    fetch: (_params: { id: string }, _body: { name: string }) =>
      new Promise<{ id: string; name: string }>((done) => {
        resolve = done;
      }),
    getOptimisticResponse: (_snap, { id }: { id: string }, { name }: { name: string }) => ({ id, name }),
  });
  const done = controller.fetch(slow, { id: '7' }, { name: 'Guess' });
  await press('.line', 'User 2');
  await press('.line', '7 {"id":"7","name":"Guess"');
  await detailHas(detail, 'is not confirmed')();
  expect(detail()).toMatch(
    /name: "Guess" #\d+ the optimistic update of slowRename .* request #\d+ is not confirmed: over "Ann" #\d+ the answer of getPosts/,
  );
  resolve({ id: '7', name: 'Anna' });
  await done;
  await until(() => root.textContent.includes('"Anna"') && !detail().includes('is not confirmed'));
});

test('the tools draw the model with its relations, and lead to a table', async () => {
  const { press, root } = await page();
  await press('[role=tab]', 'Model');
  await until(() => root.querySelector('.diagram') !== null);
  expect([...root.querySelectorAll('.box')].map((one) => one.textContent)).toEqual(
    expect.arrayContaining(['Post 2', 'User 2']),
  );
  expect([...root.querySelectorAll('.diagram text')].map((one) => one.textContent)).toContain('author');
  expect(root.querySelector('.detail')?.textContent).toContain('Post.author → User');
  await press('.box', 'User 2');
  await press('.line', '8 {');
});

test('the tools show the tables as they were after each commit, and do not change the page', async () => {
  const { controller, detail, press, root, text } = await page();
  await controller.fetch(rename, { id: '7' }, { name: 'Anna' });
  await controller.set(User, { id: '9' }, { id: '9', name: 'Cleo' });
  await until(() => text() === 'Anna,Bob,Bob');
  const rows = (): string => root.querySelector('[aria-label="Rows of User"]')?.textContent ?? '';

  await press('[role=tab]', 'Commits');
  await press('.line', 'the answer of getPosts');
  await press('.detail .link', 'as they were then');
  await press('.line', 'User 2');
  await until(() => rows().includes('"Ann"'));
  expect(rows()).not.toContain('Cleo');
  await press('.line', '7 {');
  await detailHas(detail, 'name: "Ann"')();
  expect(detail()).not.toContain('rename');
  expect(detail()).not.toContain('invalidate');
  await press('.notice .link', 'later');
  await press('.notice .link', 'later');
  await press('.line', 'User 2');
  await until(() => rows().includes('"Anna"') && !rows().includes('Cleo'));
  expect(text()).toBe('Anna,Bob,Bob');
  await press('.notice .link', 'latest');
  await press('.line', 'User 3');
  await until(() => rows().includes('Cleo'));
});

test('a session is exported to a file without its secrets, and opened elsewhere', async () => {
  const { controller, press } = await page({ secrets: ['nick'] });
  await controller.fetch(rename, { id: '7' }, { name: 'Anna' });
  await controller.set(User, { id: '9' }, { id: '9', name: 'Cleo', accessToken: 'abc', nickname: 'C' } as object);
  const files: Blob[] = [];
  const url = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `#${files.push(blob as Blob)}`);
  onTestFinished(() => url.mockRestore());
  await press('.bar button', 'Export');
  const text = (await files[0]?.text()) ?? '';
  expect(text).toContain('Cleo');
  expect(text).not.toContain('abc');
  expect(JSON.parse(text).tables.flat(3)).toContainEqual(expect.objectContaining({ nickname: '(left out)' }));

  controller.dispose();
  const other = tools();
  await other.press('.open', 'Rejoin');
  const open = (content: string): void => {
    const input = other.root.querySelector<HTMLInputElement>('input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File([content], 'rejoin-session.json'));
    if (input) input.files = chosen.files;
    input?.dispatchEvent(new Event('change'));
  };
  open('{"format":"other"}');
  await until(() => other.root.querySelector('.notice')?.textContent.startsWith('This is not a session') === true);
  open(text);
  await other.press('.line', 'User 3');
  await other.press('.line', '7 {');
  await detailHas(other.detail, 'name: "Anna"')();
  expect(other.detail()).toMatch(/name: "Anna" #\d+ the answer of rename/);
  await other.press('[role=tab]', 'Renders');
  await other.press('.line', 'Names useSuspense getPosts []: User 7 name');
  await other.press('.notice .link', 'back to this page');
  await until(() => other.root.querySelectorAll('.line').length === 0);
});

test('a component that waits is in the list of renders after its data has arrived', async () => {
  const { controller, press, root } = tools();
  function Waiting(): ReactNode {
    return useSuspense(getUsers).length;
  }
  const { text } = show(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="loading">
        <Waiting />
      </AsyncBoundary>
    </DataProvider>,
  );
  await until(() => text() === '1');
  await press('.open', 'Rejoin');
  await press('[role=tab]', 'Renders');
  await press('.line', 'Waiting useSuspense getUsers []: first render');
  expect([...root.querySelectorAll('.line')].filter((one) => one.textContent.includes('first render'))).toHaveLength(1);
});
