import { describe, expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

const at = new Reading(visitor());

interface User {
  readonly id: string;
  readonly name: string;
}
interface Post {
  readonly id: string;
  readonly title: string;
  readonly author: User;
  readonly tags: readonly { readonly name: string }[];
  readonly comments: readonly { readonly content: string; readonly commenter: User }[];
}
interface Todo {
  readonly id: number;
  readonly title: string;
  readonly userId: number;
}

describe('The overview', () => {
  test('shows one user under two posts, and shows her new name under both', async () => {
    await at.open('/overview');
    expect(await at.main.getByText('posts[0].author === posts[1].author').count()).toBe(1);
    await at.main.getByRole('button', { name: 'Rename Ann in the table' }).click();
    expect(await at.texts('.steps .person strong')).toEqual(['Anna', 'Anna']);
    expect(await at.texts('.steps > li:nth-child(3) > p strong')).toEqual(['true']);
  });

  test('has a link to every page', async () => {
    await at.open('/overview');
    await at.main.getByRole('link', { name: /^Circular entities/ }).click();
    await at.main.getByRole('heading', { name: 'Circular entities' }).waitFor();
    await at.page.goBack();
    await expect.poll(() => at.texts('h1')).toEqual(['One record is one object']);
  });
});

describe('Posts, authors, comments', () => {
  test('nested records are shown as the server sent them', async () => {
    const posts = (await at.api<Post[]>('/posts')).slice(0, 8);
    await at.open('/posts');
    await at.main.locator('article').first().waitFor();
    expect(await at.texts('article h2')).toEqual(posts.map(({ title }) => title));
    expect(await at.texts('article .tags li')).toEqual(posts.flatMap(({ tags }) => tags.map(({ name }) => name)));
    expect(await at.texts('article .byline .person strong')).toEqual(posts.map(({ author }) => author.name));
    expect(await at.texts('article .lines li .person strong')).toEqual(
      posts.flatMap(({ comments }) => comments.map(({ commenter }) => commenter.name)),
    );
    expect(await at.texts('article .lines li > .soft')).toEqual(
      posts.flatMap(({ comments }) => comments.map(({ content }) => content)),
    );
  });

  test('an author who is renamed under one post is renamed under every post and comment at once', async () => {
    await at.open('/posts');
    const author = at.main.getByRole('button', { name: /^Rename / }).first();
    const name = ((await author.textContent()) ?? '').replace('Rename ', '');
    const shown = await at.main.locator('strong').getByText(name, { exact: true }).count();
    await author.click();
    await at.page.getByLabel(`New name of ${name}`).fill('Nobody Else');
    await at.main.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => at.main.locator('strong').getByText(name, { exact: true }).count()).toBe(0);
    expect(await at.main.locator('strong').getByText('Nobody Else').count()).toBe(shown);
    expect(at.requests().filter((line) => line.includes('/posts'))).toHaveLength(1);
  });

  test('a name that the server refuses is undone everywhere', async () => {
    await at.open('/posts');
    await at.network('every change fails');
    const changes = await at.holdChanges();
    const author = at.main.getByRole('button', { name: /^Rename / }).nth(1);
    const name = ((await author.textContent()) ?? '').replace('Rename ', '');
    await author.click();
    await at.page.getByLabel(`New name of ${name}`).fill('Refused');
    await at.main.getByRole('button', { name: 'Save' }).click();
    await at.main.locator('strong').getByText('Refused').first().waitFor();
    changes.letThrough();
    await expect.poll(() => at.main.locator('strong').getByText('Refused').count()).toBe(0);
    expect(await at.main.locator('strong').getByText(name, { exact: true }).count()).toBeGreaterThan(0);
  });

  test('each kind of record has its own table, and refers to records of other tables', async () => {
    await at.open('/posts');
    await at.main.locator('article').first().waitFor();
    const tools = at.page.locator('rejoin-devtools');
    await tools.getByRole('button', { name: 'Rejoin' }).click();
    const tables = tools.getByRole('list', { name: 'Tables' }).locator('.line');
    const names = async (): Promise<string[]> =>
      (await tables.allTextContents()).map((text) => text.split(' ')[0] ?? '');
    await expect.poll(names).toEqual(expect.arrayContaining(['Post', 'Comment', 'User', 'Tag']));
    await tables.nth((await names()).indexOf('Post')).click();
    await tools.getByRole('list', { name: 'Rows of Post' }).locator('.line').first().click();
    await expect.poll(() => tools.locator('.detail').textContent()).toMatch(/author: "\d+" → User/);
  });
});

describe('Reverse lookup', () => {
  test('the posts and comments of a user are found through the fields that refer to the user', async () => {
    const posts = await at.api<Post[]>('/posts');
    await at.open('/reverse');
    const choice = at.page.getByLabel('Everything written by');
    await choice.waitFor();
    for (const { id, name } of posts.slice(0, 3).map(({ author }) => author)) {
      await choice.selectOption(id);
      await at.main.getByRole('heading', { name }).waitFor();
      const own = posts.filter(({ author }) => author.id === id).map(({ title }) => title);
      const said = posts.flatMap(({ title, comments }) =>
        comments.filter(({ commenter }) => commenter.id === id).map(({ content }) => `${content} on “${title}”`),
      );
      await expect.poll(() => at.texts('section:nth-of-type(1) li')).toEqual(own);
      expect(await at.texts('section:nth-of-type(2) li')).toEqual(said);
    }
  });
});

describe('Circular entities', () => {
  test('the author of a post of a member is the same object as the member', async () => {
    const member = await at.api<{ name: string; posts: { title: string }[] }>('/users/3/circle');
    await at.open('/circular');
    await at.main.getByRole('button', { name: member.name }).click();
    await at.main.getByRole('heading', { name: member.name }).waitFor();
    expect(await at.main.locator('.note').textContent()).toContain('is true for every post');
    const count = member.posts.length;
    expect(await at.texts('article .lines li')).toEqual(
      member.posts.map(({ title }) => `${title} by ${member.name}, who wrote ${count}`),
    );
  });
});

describe('The same relation with Lazy', () => {
  test('a lazy field is a list of keys, and its query returns the posts', async () => {
    const posts = await at.api<Post[]>('/users/1/posts');
    await at.open('/circular');
    const shelf = at.main.getByRole('region', { name: 'The same relation with Lazy' });
    await shelf.waitFor();
    expect(await shelf.locator('p').textContent()).toBe(`shelf.posts = [${posts.map(({ id }) => id).join(', ')}]`);
    await shelf.getByRole('button', { name: 'Show the posts' }).click();
    expect(await shelf.locator('li').allTextContents()).toEqual(posts.map(({ title }) => title));
    await shelf.getByRole('button', { name: 'Hide the posts' }).click();
    expect(await shelf.locator('li').count()).toBe(0);
  });
});

describe('Todos and their users', () => {
  test('todos show the names of their users, which came with another response', async () => {
    const todos = await at.api<Todo[]>('/todos?perPage=12');
    const ids = [...new Set(todos.map(({ userId }) => userId))].join(',');
    const users = await at.api<User[]>(`/users?ids=${ids}`);
    const names = todos.map(({ userId }) => users.find(({ id }) => id === String(userId))?.name);
    await at.open('/todos');
    await expect.poll(() => at.texts('.owner strong')).toEqual(names);
    expect(at.requests().filter((line) => line.includes('/users'))).toHaveLength(1);
  });

  test('on a slow network a new todo is shown at once with its user, and stays when it gets the id of the server', async () => {
    await at.open('/todos');
    await at.main.locator('.owner strong').first().waitFor();
    await at.network('slow: 1 s');
    await at.page.getByLabel('New todo').fill('Look again');
    await at.main.getByRole('button', { name: 'Add' }).click();
    await at.main.getByText('Look again').waitFor();
    expect(await at.main.getByRole('status').textContent()).toBe('sending');
    await expect.poll(() => at.main.getByRole('status').textContent()).toBe('saved');
    expect(await at.main.getByText('Look again').count()).toBe(1);
    await at.main.getByLabel('Delete Look again').click();
    expect(await at.main.getByText('Look again').count()).toBe(0);
  });

  test('a refused change is undone, and after a refused deletion the todo is back in its place', async () => {
    await at.open('/todos');
    await at.main.locator('li').first().waitFor();
    const before = await at.texts('li label');
    await at.network('every change fails');
    const box = at.main.locator('li').nth(1).getByRole('checkbox');
    const was = await box.isChecked();
    await box.click();
    await at.main.locator('li').nth(1).getByText('not saved').waitFor();
    expect(await box.isChecked()).toBe(was);
    await at.main
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await expect.poll(() => at.main.getByText('not saved').count()).toBe(2);
    expect(await at.texts('li label')).toEqual(before);
  });
});

describe('Currencies by volume', () => {
  test('currencies are sorted by the volume of their joined statistics, which came with another response', async () => {
    const stats = await at.api<{ product_id: string; volume_usd: number }[]>('/stats');
    const order = stats
      .toSorted((a, b) => b.volume_usd - a.volume_usd)
      .map(({ product_id: product }) => product.replace('-USD', ''));
    await at.open('/currencies');
    await expect.poll(() => at.texts('tbody td:first-child strong')).toEqual(order);
    await at.page.getByLabel('Volume of at least').selectOption('100000000');
    const large = stats.filter(({ volume_usd: volume }) => volume >= 1e8).length;
    expect(await at.texts('tbody td:first-child strong')).toEqual(order.slice(0, large));
  });
});

describe('Teams within teams', () => {
  const branch = (name: string) => at.main.getByRole('list', { name: 'Teams' }).getByRole('button', { name });

  test('a flat list is shown as a tree, with the number of teams below each', async () => {
    await at.open('/teams');
    await branch('Company').waitFor();
    const teams = await at.api<readonly unknown[]>('/teams');
    expect(await branch('Company').textContent()).toBe(`Company ${teams.length - 1}`);
    expect(await at.main.getByRole('list', { name: 'Teams' }).getByRole('button').count()).toBe(teams.length);
  });

  test('a team is moved together with its parts before the server has answered', async () => {
    await at.open('/teams');
    await branch('Platform').click();
    await at.network('slow: 1 s');
    const product = Number.parseInt(((await branch('Product').textContent()) ?? '').replace('Product', ''), 10);
    await at.main.getByLabel('Part of').selectOption({ label: 'Product' });
    expect(await branch('Product').textContent()).toBe(`Product ${product + 3}`);
    expect(await at.main.getByRole('region').locator('p').first().textContent()).toBe('Company › Product');
    await expect.poll(async () => (await at.api<{ parentId: number }>('/teams/5')).parentId).toBe(3);
  });

  test('the server refuses a circle, and the tree is as before', async () => {
    await at.open('/teams');
    await branch('Engineering').click();
    const before = await at.main.getByRole('list', { name: 'Teams' }).first().textContent();
    await at.main.getByLabel('Part of').selectOption({ label: 'Search' });
    await at.main.getByText('Team 14 is team 2 or below it.').waitFor();
    expect(await at.main.getByRole('list', { name: 'Teams' }).first().textContent()).toBe(before);
  });
});

describe('Members and roles', () => {
  const members = () => at.main.getByRole('list', { name: 'Members' }).getByRole('listitem');

  test('people are joined with their teams through link records, in both directions', async () => {
    await at.open('/members');
    await members().first().waitFor();
    const links = await at.api<readonly { teamId: number; userId: number }[]>('/memberships');
    expect(await members().count()).toBe(links.filter(({ teamId }) => teamId === 2).length);
    for (const text of await members().allTextContents()) expect(text).toContain('Engineering');
  });

  test('the diagram of the model shows its classes, with a line between each two classes that refer to each other', async () => {
    await at.open('/members');
    const diagram = at.main.getByRole('img', { name: /^The model\. Member\.teams: many Team\. / });
    await diagram.waitFor();
    expect(await diagram.locator('rect').count()).toBe(3);
    expect(await diagram.locator('line').count()).toBe(3);
    expect(await diagram.locator('.relation').allTextContents()).toEqual([
      'Member.teams *',
      'Team.people *',
      'Team.memberships *',
      'Membership.user',
    ]);
  });

  test('an added person is shown as a member in both directions, and is no longer shown after a removal', async () => {
    await at.open('/members');
    await members().first().waitFor();
    const count = await members().count();
    const add = at.main.getByLabel('Add');
    const [, somebody = ''] = await add.locator('option').allTextContents();
    await add.selectOption({ label: somebody });
    const added = members().filter({ hasText: somebody });
    await added.waitFor();
    expect(await added.textContent()).toContain('Engineering');
    await added.getByRole('combobox').selectOption('guest');
    await expect.poll(() => added.getByRole('combobox').inputValue()).toBe('guest');
    await added.getByRole('button', { name: `Remove ${somebody}` }).click();
    await expect.poll(() => members().count()).toBe(count);
  });
});
