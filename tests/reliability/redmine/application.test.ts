import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platform } from '../../../src/index.ts';
import { application } from './application.ts';
import { Server } from './server.ts';

/** The lines of code of a file of this folder. */
function codeOf(name: string): readonly string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line));
}

test('an issue tracker of Redmine has at most 30 lines beside its entities', () => {
  const code = codeOf('application.ts');
  expect(code.length).toBeGreaterThan(10);
  expect(code.length).toBeLessThanOrEqual(30);
});

test('neither the tracker nor its entities use `any`, or override methods that make and read requests', () => {
  const code = ['application.ts', 'entities.ts'].flatMap(codeOf).join('\n');
  expect(code).toContain('resource(');
  expect(code).not.toMatch(
    /\b(any|process|fetch|getRequestInit|getHeaders|parseResponse|unknown|never)\b|\bas (?!const)/,
  );
});

test('the tracker reads, creates and changes issues, and logs time on them', async () => {
  const server = new Server();
  const fetch = async (url: string, { body, method = 'GET' }: RequestInit): Promise<Response> =>
    server.answer(method, url, typeof body === 'string' ? JSON.parse(body) : undefined);
  const { controller, issues, logTime } = application({ ...platform, fetch }, { optimistic: true, serial: false });
  const page = await controller.fetch(issues.getList, { project_id: 1, limit: 2 });
  expect(page).toMatchObject({ total: 3, items: [{ id: 1, status: { name: 'New' } }, { id: 3 }] });

  const made = await controller.fetch(issues.create, { subject: 'Made', project_id: 1, status: 1, assigned_to: 2 });
  expect(made.assigned_to?.name).toBe('Bob');
  // The server answers 204, and leaves out fields without a value.
  await controller.fetch(issues.partialUpdate, { id: made.id }, { assigned_to: null });
  await controller.fetch(issues.get, { id: made.id });
  expect(controller.get(issues.get.schema, { id: made.id })?.assigned_to).toBeUndefined();

  controller.watch(issues.get, { id: made.id }, () => {});
  await controller.fetch(logTime, { hours: 2, issue: made.id });
  await expect.poll(() => controller.get(issues.get.schema, { id: made.id })?.spent_hours).toBe(2);
});
