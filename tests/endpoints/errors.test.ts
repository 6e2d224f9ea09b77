import { expect, test } from 'vitest';
import { Controller, Entity, NetworkError, platform as realPlatform, resource, type Platform } from 'rejoin';

class Issue extends Entity {
  id = '';
  subject = '';
  static override key = 'Issue';
}

/** The resource of a server that gives this answer to everything. */
function scene(answer: () => Response) {
  const platform: Platform = { ...realPlatform, fetch: async () => answer() };
  const issues = resource({ path: '/issues/:id.json', schema: Issue, platform });
  return { issues, controller: new Controller() };
}

const page = (): Response => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });

test.each<[string, () => Response, string]>([
  ['a page of HTML', page, 'response-unexpected'],
  ['an envelope', () => Response.json({ issues: [], total_count: 0 }), 'input-invalid'],
  ['records without a pk', () => Response.json([{ subject: 'x' }]), 'pk-missing'],
  ['a text', () => Response.json('sorry'), 'input-invalid'],
  [
    'what is no JSON',
    () => new Response('{', { headers: { 'Content-Type': 'application/json' } }),
    'response-unreadable',
  ],
])('a list that is answered with %s is an error with the status 400', async (_what, answer, code) => {
  const { issues, controller } = scene(answer);
  await expect(controller.fetch(issues.getList)).rejects.toMatchObject({ code, status: 400 });
  expect(controller.getError(issues.getList)).toMatchObject({ code, status: 400 });
});

test('what a server refuses to create is told by field, and by a sentence', async () => {
  const { issues, controller } = scene(() =>
    Response.json({ errors: { subject: ["can't be blank"] } }, { status: 422 }),
  );
  const refused: unknown = await controller.fetch(issues.create, { subject: '' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NetworkError);
  expect(refused).toMatchObject({ message: "subject: can't be blank", fieldErrors: { subject: ["can't be blank"] } });
});
