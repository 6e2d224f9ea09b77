import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Controller } from '../../src/index.ts';
import { redmine } from './redmine-app.ts';
import { Issue, Project, Status, User } from './redmine-entities.ts';
import { type RedmineServer, startRedmine } from './redmine-server.ts';

let server: RedmineServer;
let controller: Controller;
let app: ReturnType<typeof redmine>;
beforeEach(async () => {
  server = await startRedmine();
  controller = new Controller();
  app = redmine(server.url, 'secret');
});
afterEach(async () => {
  controller.dispose();
  await server.close();
});

const inFlight = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('an issue tracker on a server that is shaped like Redmine', () => {
  test('has at most 30 lines beside its entities, no overridden methods, and no any', () => {
    const source = readFileSync(new URL('redmine-app.ts', import.meta.url), 'utf8');
    const lines = source.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import '));
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(source).not.toMatch(/\b(process|fetch|getRequestInit|parseResponse|any|unknown|as never)\b/);
  });

  test('reads a page as its records and their total number, without the envelope', async () => {
    const page = await controller.fetch(app.IssueResource.getList, { limit: 2 });
    expect(page.total).toBe(4);
    expect(page.items.map(({ subject }) => subject)).toEqual(['Typo', 'Pay by card']);
    expect(page.items[0]).toBeInstanceOf(Issue);
    expect(page.items[0]?.status).toBe(controller.get(Status, { id: 1 }));
    expect(server.asked()).toEqual(['GET /issues.json?limit=2']);
  });

  test('reads one record with its included records', async () => {
    const issue = await controller.fetch(app.IssueResource.get, { id: 2 });
    expect(issue.description).toBe('Add a search, in full');
    expect(issue.assigned_to).toBe(undefined);
    const statuses = await controller.fetch(app.StatusResource.getList);
    expect(statuses.map(({ name }) => name)).toEqual(['New', 'In Progress', 'Closed']);
  });

  test('creates an issue: records are sent as pks, and the created record joins the lists', async () => {
    const { IssueResource } = app;
    await controller.fetch(IssueResource.getList);
    const project = controller.get(Project, { id: 1 });
    server.asked();
    const created = await controller.fetch(IssueResource.create, { subject: 'New one', project, status: 2 });
    expect(server.asked()[0]).toBe('POST /issues.json {"issue":{"subject":"New one","status_id":2,"project_id":1}}');
    expect(created.id).toBe(6);
    expect(controller.get(IssueResource.getList.schema.items)?.map(({ id }) => id)).toContain(6);
  });

  test('changes an issue, which is shown before the server has answered, and sends fields that are never read', async () => {
    const { IssueResource } = app;
    await controller.fetch(IssueResource.getList, { status_id: '*' });
    await controller.fetch(IssueResource.get, { id: 1 });
    const [closed, bob] = [controller.get(Status, { id: 5 }), User.fromJS({ id: 8, name: 'Bob Ray' })];
    server.asked();
    const done = controller.fetch(
      IssueResource.partialUpdate,
      { id: 1 },
      { status: closed, assigned_to: bob, notes: 'Done' },
    );
    await inFlight();
    expect(controller.get(Issue, { id: 1 })?.status).toBe(closed);
    expect(controller.get(Issue, { id: 1 })).not.toHaveProperty('notes');
    expect(await done).toBe(controller.get(Issue, { id: 1 }));
    expect(controller.get(Issue, { id: 1 })).toMatchObject({ status: closed, assigned_to: { name: 'Bob Ray' } });
    expect(server.issue(1)).toMatchObject({ status: 5, assigned_to: 8, journals: [{ notes: 'Done' }] });
    expect(server.asked()[0]).toBe('PATCH /issues/1.json {"issue":{"notes":"Done","status_id":5,"assigned_to_id":8}}');
  });

  test('shows the messages of the server after a refusal, and rolls the guess back', async () => {
    const { IssueResource } = app;
    const issue = await controller.fetch(IssueResource.get, { id: 1 });
    const failed = controller.fetch(IssueResource.update, { id: 1 }, { subject: '', status: 99 });
    await expect(failed).rejects.toMatchObject({
      status: 422,
      message: 'Subject cannot be blank; Status is not included in the list',
    });
    expect(controller.get(Issue, { id: 1 })).toBe(issue);
  });

  test('deletes an issue', async () => {
    const { IssueResource } = app;
    await controller.fetch(IssueResource.getList);
    await controller.fetch(IssueResource.delete, { id: 1 });
    expect(controller.get(IssueResource.getList.schema.items)?.map(({ id }) => id)).toEqual([5, 3, 2]);
    expect(server.issue(1)).toBe(undefined);
  });
});
