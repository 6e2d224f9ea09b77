import { describe, expect, test } from 'vitest';
import { Collection, Controller, Entity, NetworkManager, resource, RestEndpoint, Slices } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class User extends Entity {
  id = 0;
  name = '';
  phone = '';
  static override key = 'User';
}
class Note extends Entity {
  id = 0;
  static override key = 'Note';
}
class Issue extends Entity {
  id = 0;
  subject = '';
  due = 'never';
  assigned_to?: User;
  notes: readonly Note[] = [];
  static override key = 'Issue';
  static override schema = {
    assigned_to: User,
    notes: new Collection([Note], { nestKey: ({ id }: { id: number }) => ({ issue: id }) }),
  };
}
class Merged extends Entity {
  id = 0;
  text = '';
  static override key = 'Merged';
  static override merge(existing: object, incoming: object): object {
    return { ...existing, ...incoming };
  }
}

const ANN = { id: 7, name: 'Ann', phone: '1' };
const FULL = { id: 1, subject: 'One', due: 'today', assigned_to: ANN };

function scene(whole = true) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const issues = resource({ path: '/issues/:id', schema: Issue, optimistic: true, platform: transport, whole });
  const shown = (): unknown => {
    const issue = controller.get(Issue, { id: 1 });
    return issue && [issue.subject, issue.due, issue.assigned_to?.name];
  };
  const answer = async (what: string, value: unknown): Promise<void> => {
    transport.take(what).answer(value);
    await settled();
  };
  return { transport, controller, issues, shown, answer };
}

describe('an answer with the option `whole`', () => {
  test('removes the fields that it does not contain, from a record and from the records of a list', async () => {
    const { controller, issues, shown } = scene();
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    expect(shown()).toEqual(['One', 'today', 'Ann']);
    await controller.setResponse(issues.get, { id: 1 }, { id: 1, subject: 'One' });
    expect(shown()).toEqual(['One', 'never', undefined]);
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    await controller.setResponse(issues.getList, [{ id: 1, subject: 'Two' }]);
    expect(shown()).toEqual(['Two', 'never', undefined]);
  });

  test('that is equal to the stored record changes nothing, and keeps the object', async () => {
    const { controller, issues } = scene();
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    const before = controller.get(Issue, { id: 1 });
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    expect(controller.get(Issue, { id: 1 })).toBe(before);
  });

  test('removes no fields of nested records, and no members of lists outside of records', async () => {
    const { controller, issues } = scene();
    await controller.setResponse(issues.get, { id: 1 }, { ...FULL, notes: [{ id: 3 }] });
    await controller.setResponse(issues.get, { id: 1 }, { ...FULL, assigned_to: { id: 7, name: 'Anna' } });
    expect(controller.get(User, { id: 7 })).toMatchObject({ name: 'Anna', phone: '1' });
    expect(controller.get(Issue, { id: 1 })?.notes.map(({ id }) => id)).toEqual([3]);
  });

  test('is the only one that removes fields: without the option, all fields stay', async () => {
    const { controller, issues, shown } = scene(false);
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    await controller.setResponse(issues.get, { id: 1 }, { id: 1, subject: 'Two' });
    expect(shown()).toEqual(['Two', 'today', 'Ann']);
  });

  test('does not apply to a guess, nor to an answer without a body', async () => {
    const { transport, controller, issues, shown } = scene();
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    const changed = controller.fetch(issues.update, { id: 1 }, { subject: 'Two' });
    expect(shown()).toEqual(['Two', 'today', 'Ann']);
    await settled();
    transport.take('PUT /issues/1').answer(null, { status: 204 });
    await changed;
    expect(shown()).toEqual(['Two', 'today', 'Ann']);
  });

  test('removes no field of a later request', async () => {
    const { controller, issues, shown, answer } = scene();
    await controller.setResponse(issues.get, { id: 1 }, { id: 1, subject: 'One' });
    void controller.fetch(issues.get, { id: 1 });
    await settled();
    void controller.fetch(issues.getList);
    await settled();
    await answer('GET /issues', [{ id: 1, subject: 'Two', assigned_to: ANN }]);
    await answer('GET /issues/1', { id: 1, subject: 'One', due: 'today' });
    expect(shown()).toEqual(['Two', 'never', 'Ann']);
  });

  test('keeps its fields removed when an earlier request is answered later', async () => {
    const part = scene();
    const { controller, issues, shown, answer } = part;
    const list = issues.getList.extend({ whole: false });
    void controller.fetch(list);
    await settled();
    void controller.fetch(issues.get, { id: 1 });
    await settled();
    await answer('GET /issues/1', { id: 1, subject: 'Two' });
    await answer('GET /issues', [FULL]);
    expect(shown()).toEqual(['Two', 'never', undefined]);
    await controller.setResponse(list, [FULL]);
    expect(shown()).toEqual(['One', 'today', 'Ann']);
  });

  test('that arrives late removes only the fields of earlier requests', async () => {
    const { controller, issues, shown, answer } = scene();
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    void controller.fetch(issues.get, { id: 1 });
    await settled();
    const list = issues.getList.extend({ whole: false });
    void controller.fetch(list);
    await settled();
    await answer('GET /issues', [{ id: 1, due: 'tomorrow' }]);
    await answer('GET /issues/1', { id: 1, subject: 'Two' });
    expect(shown()).toEqual(['Two', 'tomorrow', undefined]);
  });

  test.each([
    ['first', ['PUT /issues/1', 'PATCH /issues/1']],
    ['last', ['PATCH /issues/1', 'PUT /issues/1']],
  ])('of a mutation, answered %s, leaves what another has edited meanwhile', async (_when, order) => {
    const { controller, issues, shown, answer } = scene();
    await controller.setResponse(issues.get, { id: 1 }, FULL);
    void controller.fetch(issues.update, { id: 1 }, { subject: 'Two' });
    void controller.fetch(issues.partialUpdate.extend({ whole: false }), { id: 1 }, { due: 'tomorrow' });
    await settled();
    for (const what of order)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await answer(what, what.startsWith('PUT') ? { id: 1, subject: 'Two' } : { id: 1, due: 'tomorrow' });
    expect(shown()).toEqual(['Two', 'tomorrow', undefined]);
  });

  test('is combined by the merge of its class, if the class has one', async () => {
    const { controller } = scene();
    const get = new RestEndpoint({ path: '/merged/:id', schema: Merged, whole: true });
    await controller.setResponse(get, { id: 1 }, { id: 1, text: 'a' });
    await controller.setResponse(get, { id: 1 }, { id: 1 });
    expect(controller.get(Merged, { id: 1 })?.text).toBe('a');
  });

  test('is applied in one commit if large answers are stored in slices, too', async () => {
    const transport = new Transport();
    const slices = new Slices({ above: 1, platform: transport });
    const controller = new Controller({ managers: [new NetworkManager({ slices })], now: () => transport.time });
    const issues = resource({ path: '/issues/:id', schema: Issue, platform: transport, whole: true });
    await controller.setResponse(issues.getList, [FULL, { ...FULL, id: 2 }]);
    const read = controller.fetch(issues.getList);
    await settled();
    transport.take('GET /issues').answer([{ id: 1 }, { id: 2 }]);
    expect((await read).map(({ due }) => due)).toEqual(['never', 'never']);
  });
});
