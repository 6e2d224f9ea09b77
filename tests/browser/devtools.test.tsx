import { expect, test } from 'vitest';
import { User } from '../model.ts';
import { expectSoon, until } from '../react/harness.tsx';
import { getUsers, page, refused, rename, tools } from './devtools-page.tsx';

test('the tools show in two clicks why the content of the screen has changed, and which change was the reason', async () => {
  const { controller, detail, press, root, text } = await page();
  await controller.fetch(rename, { id: '7' }, { name: 'Anna' });
  await until(() => text() === 'Anna,Bob,Bob');

  await press('[role=tab]', 'Screen');
  await press('.line', 'getPosts []: changed');
  await until(() => detail().includes('the answer of rename'));
  expect(detail()).toMatch(/rendered because of #\d+ the answer of rename \[.*\]User 7 changed name: /);
  expect([...root.querySelectorAll('.detail .old')].map((one) => one.textContent)).toContain('"Ann"');
  await press('.line', 'getUsers []');
  await until(() => detail().startsWith('getUsers'));
  expect(detail()).not.toContain('rename');
});

test('the tools show in two clicks where a field of a record comes from', async () => {
  const { controller, detail, press } = await page();
  await controller.fetch(rename, { id: '7' }, { name: 'Anna' });

  await press('.line', 'User 2');
  await press('.line', '7 {');
  await until(() => detail().includes('User 7'));
  expect(detail()).toMatch(/id: "7" #\d+ the answer of getPosts \[\]/);
  expect(detail()).toMatch(/name: "Anna" #\d+ the answer of rename/);
  expect(detail()).toContain('Shown bygetPosts []');
});

test('the tools follow a reference, and delete a record from the page', async () => {
  const { detail, press, text } = await page();
  await press('.line', 'Post 2');
  await press('.line', '2 {"id":"2"');
  await press('.detail .link', '→ User');
  await until(() => detail().startsWith('User 8'));
  await press('.detail .link', 'invalidate');
  await expectSoon(() => !text().includes('Bob,Bob'));
});

test('the tools list requests with their outcomes, and commits with their rows', async () => {
  const { controller, detail, press, root } = await page();
  await controller.fetch(refused).catch(() => {});
  await press('[role=tab]', 'Requests');
  await press('.line', '✗ refused');
  await until(() => detail().includes('not allowed'));
  expect(detail()).toContain('Mutation, failed');

  await press('[role=tab]', 'Commits');
  await press('.line', 'the answer of getPosts');
  await until(
    () => detail().includes('Post 1 new'),
    () => `${detail()} of ${[...root.querySelectorAll('.line')].map((one) => one.textContent).join(' | ')}`,
  );
  const search = root.querySelector('input') as HTMLInputElement;
  search.value = 'getusers';
  search.dispatchEvent(new Event('input'));
  await until(() => [...root.querySelectorAll('.line')].every((one) => one.textContent.includes('getUsers')));
  await press('button', 'Clear');
  await until(() => root.querySelectorAll('.line').length === 0);
});

test('of 50,000 rows, only the visible ones are in the document', async () => {
  const { controller, press, root } = tools();
  const getAll = getUsers.extend({
    fetch: async () => Array.from({ length: 50_000 }, (_, at) => ({ id: String(at), name: `user ${at}` })),
  });
  await controller.fetch(getAll);
  await press('.open', 'Rejoin');
  await until(() => root.textContent.includes('User 50000'));
  expect(root.querySelectorAll('*').length).toBeLessThan(150);
  const list = root.querySelector('[aria-label="Rows of User"]') as HTMLElement;
  list.scrollTop = list.scrollHeight;
  await until(() => root.textContent.includes('user 49999'));
  expect(root.querySelectorAll('*').length).toBeLessThan(150);
});

test('an element of the tools keeps the focus while records change', async () => {
  const { controller, press, root } = await page();
  await press('.line', 'User 2');
  const line = (): HTMLElement | undefined =>
    [...root.querySelectorAll<HTMLElement>('.line')].find((one) => one.textContent.startsWith('7 {'));
  await until(() => line() !== undefined);
  line()?.focus();
  await controller.set(User, { id: '7' }, { id: '7', name: 'Anna' });
  await until(() => line()?.textContent.includes('Anna') === true);
  expect(root.activeElement).toBe(line());
});

test('the tools are removed with their controller, and are closed by a button that has a name', async () => {
  const { controller, press, root } = tools();
  await press('.open', 'Rejoin');
  root.querySelector<HTMLElement>('[aria-label=Close]')?.click();
  await until(() => root.querySelector('.open') !== null);
  controller.dispose();
  expect(document.querySelector('rejoin-devtools')).toBe(null);
});
