import { describe, expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly comments: number;
  readonly assignee: { readonly id: string; readonly name: string } | null;
}

const at = new Reading(visitor());
const row = (title: string) => at.main.locator('.issue', { has: at.page.getByRole('link', { name: title }) });
const newest = async (): Promise<Issue> => {
  const { items } = await at.api<{ readonly items: readonly Issue[] }>('/issues?perPage=1');
  return items[0] as Issue;
};
const add = async (title: string): Promise<void> => {
  await at.main.getByLabel('Title of a new issue').fill(title);
  await at.page.keyboard.press('Enter');
};
const sent = (): readonly string[] => at.requests().filter((line) => !line.startsWith('GET'));
const lists = (): number => at.requests().filter((line) => line.startsWith('GET /api/issues?')).length;

describe('Issues', () => {
  test('an issue that is not saved yet can be changed, and the change is sent with the id of the server', async () => {
    await at.open('/');
    const changes = await at.holdChanges();
    await add('Changed while it is created');
    const created = row('Changed while it is created');
    await created.getByText('saving').waitFor();
    await created.getByLabel('State of Changed while it is created').selectOption('doing');
    expect(sent()).toEqual([]);
    changes.letThrough();
    await expect.poll(() => created.getAttribute('aria-busy')).toBe('false');
    const { id, title, state } = await newest();
    expect({ title, state }).toEqual({ title: 'Changed while it is created', state: 'doing' });
    expect(sent()).toEqual(['POST /api/issues 201', `PATCH /api/issues/${id} 200`]);
  });

  test('a change that fails is undone with a message, and a text that could not be sent returns to its field', async () => {
    await at.open('/');
    const title = (await at.main.locator('[data-row]').first().textContent()) ?? '';
    const state = row(title).first().getByRole('combobox').first();
    const before = await state.inputValue();
    await at.network('every change fails');
    await state.selectOption(before === 'done' ? 'todo' : 'done');
    await at.page.getByRole('alert').waitFor();
    expect(await state.inputValue()).toBe(before);
    await add('Not lost');
    await expect.poll(() => at.main.getByLabel('Title of a new issue').inputValue()).toBe('Not lost');
    expect(await at.main.getByRole('link', { name: 'Not lost' }).count()).toBe(0);
  });

  test('filters and pages are in the address, and the total is the total of the server', async () => {
    await at.open('/');
    await at.main.getByLabel('State', { exact: true }).selectOption('done');
    await at.main.getByLabel('Sort').selectOption('priority');
    const { total } = await at.api<{ readonly total: number }>('/issues?state=done');
    await at.main.getByText(`${total} issues`, { exact: true }).waitFor();
    await at.main.getByRole('button', { name: 'Next' }).click();
    await at.main.getByText(/^2 of /).waitFor();
    expect(new URL(at.page.url()).search).toBe('?state=done&sort=priority&page=2');
    await at.page.reload();
    await at.main.getByText(/^2 of /).waitFor();
    expect(new Set(await at.main.locator('.issue .state').evaluateAll(valuesOf))).toEqual(new Set(['done']));
  });

  test('a list that is loaded is shown again after a filter whose list could not be loaded', async () => {
    await at.open('/');
    await at.main.locator('.issue').first().waitFor();
    await at.network('offline');
    await at.main.getByLabel('State', { exact: true }).selectOption('done');
    await at.page.getByRole('alert').waitFor();
    await at.page.getByRole('link', { name: 'Issues', exact: true }).click();
    await at.main.locator('.issue').first().waitFor();
    expect(await at.page.getByRole('alert').count()).toBe(0);
  });

  test('an issue that gets another state leaves the list of its old state, and no list is fetched', async () => {
    await at.open('/?state=doing');
    const first = at.main.locator('.issue').first();
    const title = (await first.locator('[data-row]').textContent()) ?? '';
    const id = (await first.locator('[data-row]').getAttribute('href'))?.split('/').at(-1) ?? '';
    const before = lists();
    await first.getByRole('combobox').first().selectOption('done');
    await expect.poll(() => at.main.locator(`[href="/issues/${id}"]`).count()).toBe(0);
    expect(title).not.toBe('');
    await expect.poll(() => sent()).toEqual([`PATCH /api/issues/${id} 200`]);
    expect(lists()).toBe(before);
  });
});

const valuesOf = (elements: (HTMLElement | SVGElement)[]): string[] =>
  elements.map((element) => (element as HTMLSelectElement).value);

test('a comment increases the number in the list, and the list is not fetched', async () => {
  await at.open('/');
  await at.main.locator('[data-row]').first().click();
  await at.main.getByLabel('A new comment').fill('Seen here as well');
  await at.main.getByRole('button', { name: 'Comment' }).click();
  await at.main.locator('.comment', { hasText: 'Seen here as well' }).waitFor();
  await expect.poll(() => sent().length).toBe(1);
  const { comments } = await newest();
  const asked = lists();
  await at.main.getByRole('link', { name: '← Issues' }).click();
  await at.main
    .locator('.issue')
    .first()
    .getByText(new RegExp(`^${comments} comments?$`))
    .waitFor();
  expect(lists()).toBe(asked);
});

describe('Board', () => {
  const column = (name: string) => at.main.getByRole('region', { name, exact: true });
  const count = async (name: string): Promise<number> => Number(await column(name).locator('h2 .num').textContent());

  test('a card can be moved with the keyboard, keeps the focus, and is announced to a screen reader', async () => {
    await at.open('/issues/board');
    const card = column('To do').locator('[data-card]').first();
    const id = (await card.getAttribute('data-card')) ?? '';
    const before = [await count('To do'), await count('In progress')];
    await card.focus();
    await at.page.keyboard.press('ArrowRight');
    await column('In progress').locator(`[data-card="${id}"]:focus`).waitFor();
    expect([await count('To do'), await count('In progress')]).toEqual([(before[0] ?? 0) - 1, (before[1] ?? 0) + 1]);
    await at.main.getByText(/: moved to In progress$/).waitFor();
    await expect.poll(async () => (await at.api<Issue>(`/issues/${id}`)).state).toBe('doing');
    expect(lists()).toBe(1);
  });

  test('a card can be dragged to another column, and returns to its place when the change fails', async () => {
    await at.open('/issues/board');
    await at.network('every change fails');
    const changes = await at.holdChanges();
    const card = column('Done').locator('.board-card').first();
    const id = (await card.locator('[data-card]').getAttribute('data-card')) ?? '';
    await card.dragTo(column('Backlog'));
    await column('Backlog').locator(`[data-card="${id}"]`).waitFor();
    changes.letThrough();
    await at.page.getByRole('alert').waitFor();
    await column('Done').locator(`[data-card="${id}"]`).waitFor();
    expect((await at.api<Issue>(`/issues/${id}`)).state).toBe('done');
  });

  test('only the visible cards are in the document', async () => {
    await at.open('/issues/board');
    await column('To do').locator('[data-card]').first().waitFor();
    expect(await column('To do').locator('[data-card]').count()).toBeLessThan(20);
    expect(await at.main.locator('[data-card]').count()).toBeGreaterThan(8);
  });
});

test('a person who is renamed has the new name in lists that were loaded before', async () => {
  await at.open('/');
  const { assignee } = (await at.api<{ items: Issue[] }>('/issues?perPage=25')).items.find(
    (one) => one.assignee,
  ) as Issue;
  await at.main.locator(`.issue [title="${assignee?.name}"]`).first().waitFor();
  await at.page.getByRole('link', { name: 'People', exact: true }).click();
  await at.main.getByRole('button', { name: `Rename ${assignee?.name}` }).click();
  await at.main.getByLabel(`New name of ${assignee?.name}`).fill('Zoe Renamed');
  await at.page.keyboard.press('Enter');
  await expect.poll(() => sent()).toEqual([`PATCH /api/users/${assignee?.id} 200`]);
  const asked = at.requests().length;
  await at.page.getByRole('link', { name: 'Issues', exact: true }).click();
  await at.main.locator('.issue [title="Zoe Renamed"]').first().waitFor();
  expect(at.requests()).toHaveLength(asked);
});

test('a search is sent once for a word that is typed fast', async () => {
  await at.open('/issues/search');
  // The page types the keys itself. On a slow machine, keys from outside may come later than the search waits.
  await at.page.getByRole('searchbox').evaluate(async (input: HTMLInputElement) => {
    for (const [place, letter] of Array.from('calendar').entries()) {
      input.setRangeText(letter, place, place, 'end');
      input.dispatchEvent(new Event('input', { bubbles: true }));
      // oxlint-disable-next-line no-await-in-loop -- one letter after another
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
    }
  });
  await at.main.getByText(/found for “calendar”/).waitFor();
  expect(at.requests()).toEqual(['GET /api/issues?perPage=200&q=calendar 200']);
  expect(await at.main.locator('mark').first().textContent()).toBe('calendar');
});

test('the result of a search is shown after a search that failed', async () => {
  await at.open('/issues/search');
  await at.network('offline');
  await at.page.getByRole('searchbox').fill('calendar');
  await at.page.getByRole('alert').waitFor();
  await at.network('good');
  await at.page.getByRole('searchbox').fill('settings');
  await at.main.getByText(/found for “settings”/).waitFor();
  expect(await at.page.getByRole('alert').count()).toBe(0);
});

test('reports show a change before the server has answered', async () => {
  await at.open('/issues/reports');
  const urgent = at.main.getByRole('region', { name: 'Urgent and open' });
  const total = async (): Promise<number> => Number(await urgent.locator('.chip').textContent());
  const before = await total();
  await at.network('slow: 1 s');
  await urgent.getByRole('button', { name: /^Done/ }).first().click();
  await expect.poll(total).toBe(before - 1);
  expect(sent()).toEqual([]);
});

test('a change of another client is shown in the activity, and later on the board', async () => {
  await at.open('/issues/board');
  const id = (await at.main.locator('[data-card]').first().getAttribute('data-card')) ?? '';
  await at.page.getByRole('link', { name: 'Activity', exact: true }).click();
  await at.main.locator('.event').first().waitFor();
  const first = at.main.locator('.event').first();
  const change = (): Promise<unknown> =>
    at.api(`/issues/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'done' }),
    });
  // The stream opens shortly after the list is shown.
  await expect.poll(async () => (await change()) && (await first.textContent())).toContain('moved to Done:');
  const asked = lists();
  await at.page.getByRole('link', { name: 'Board', exact: true }).click();
  await at.main.getByRole('region', { name: 'Done' }).locator('[data-card]').first().waitFor();
  expect(await at.main.getByRole('region', { name: 'Backlog' }).locator(`[data-card="${id}"]`).count()).toBe(0);
  expect(lists()).toBe(asked);
});

test('shortcuts open screens and focus fields, and can be switched off', async () => {
  await at.open('/');
  await at.main.locator('.issue').first().waitFor();
  await at.page.keyboard.press('g');
  await at.page.keyboard.press('b');
  await at.main.getByRole('heading', { name: 'Board' }).waitFor();
  await at.page.keyboard.press('g');
  await at.page.keyboard.press('i');
  await at.main.locator('.issue').first().waitFor();
  await at.page.keyboard.press('j');
  await at.page.keyboard.press('j');
  await at.main.locator('.issue').nth(1).locator('a:focus').waitFor();
  await at.page.keyboard.press('c');
  await at.main.locator('[aria-label="Title of a new issue"]:focus').waitFor();
  await at.page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await at.page.getByLabel('Single keys are shortcuts').uncheck();
  await at.page.getByRole('button', { name: 'Close', exact: true }).click();
  await at.main.getByRole('heading', { name: 'Issues' }).click();
  await at.page.keyboard.press('/');
  expect(new URL(at.page.url()).pathname).toBe('/');
});

test('an unknown address shows a message', async () => {
  await at.open('/issues/none');
  await expect.poll(() => at.texts('h1')).toEqual(['There is no such page']);
});
