import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from 'rejoin/persist';
import { type OfflineTab, openTab } from '../offline/app.ts';
import { TaskServer } from '../offline/server.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { ignore, settle } from './app.ts';

/** Two tabs that show the edits of each other. The server refuses each text with `bad`. */
async function twoTabs() {
  const [fake, disk, server] = [new FakeBrowser(), memoryStorage(), new TaskServer('R')];
  const troubles = { isRefusing: true };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (troubles.isRefusing && String(init.body).includes('bad')) return Response.json({}, { status: 422 });
    return server.answer(url, init);
  };
  const open = async (): Promise<OfflineTab> => {
    const tab = openTab(fake, disk, fetch, fake.platform, 'R');
    onTestFinished(() => tab.kill());
    await tab.controller.ready;
    await tab.controller.fetch(tab.tasks.getList);
    return tab;
  };
  const [first, second] = [await open(), await open()];
  return { fake, first, open, second, server, troubles };
}

const statesOf = ({ outbox }: OfflineTab): unknown =>
  outbox
    .entries()
    .map(({ error, isElsewhere, state }) => [state, Reflect.get(Object(error) as object, 'code'), isElsewhere]);

function create({ controller, tasks }: OfflineTab, title: string): void {
  controller.fetch(tasks.getList.push, { title }).catch(ignore);
}

function rename({ controller, tasks }: OfflineTab, id: string, title: string): void {
  controller.fetch(tasks.partialUpdate, { id }, { title }).catch(ignore);
}

/** The first tab creates a record, which the server refuses. The second one has edited it meanwhile. */
async function withRefusedCreate() {
  const world = await twoTabs();
  const { first, second } = world;
  const { controller, tasks } = second;
  let isMade = false;
  const stop = controller.store.onCommit(() => {
    const made = controller.getResponse(tasks.getList).data?.[2];
    if (isMade || made === undefined) return;
    isMade = true;
    rename(second, made.id, 'edited');
  });
  create(first, 'bad');
  await settle(300);
  stop();
  expect(isMade).toBe(true);
  return world;
}

describe('an edit whose create was refused in another tab', () => {
  test('stops too', async () => {
    const { second } = await withRefusedCreate();
    expect(statesOf(second)).toEqual([
      ['stopped', 'http-error', true],
      ['stopped', 'outbox-blocked', false],
    ]);
  });

  test('continues when the create continues', async () => {
    const { first, second, server, troubles } = await withRefusedCreate();
    troubles.isRefusing = false;
    first.outbox.retry();
    await settle(400);
    expect([statesOf(first), statesOf(second)]).toEqual([[], []]);
    expect(server.titles.get('R-3')).toEqual(['bad', 'edited']);
  });

  test('stops with another code when the create is discarded', async () => {
    const { first, second } = await withRefusedCreate();
    first.outbox.discard(first.outbox.entries().find(({ isElsewhere }) => !isElsewhere)?.id ?? '');
    await settle(400);
    expect(statesOf(second)).toEqual([['stopped', 'record-never-created', false]]);
  });
});

describe('an edit of a record', () => {
  /** The first tab has edited a record, which the server has refused. Then the second one edits it. */
  async function withRefusedEdit() {
    const world = await twoTabs();
    const { first, second } = world;
    rename(first, 'R-1', 'bad');
    await settle(100);
    rename(second, 'R-1', 'later');
    await settle(300);
    return world;
  }

  test('whose earlier edit was refused in another tab stops too', async () => {
    const { second, server } = await withRefusedEdit();
    expect(statesOf(second)).toEqual([
      ['stopped', 'http-error', true],
      ['stopped', 'outbox-blocked', false],
    ]);
    expect(server.titles.get('R-1')).toEqual(['R a']);
  });

  test('continues after the earlier one', async () => {
    const { first, server, troubles, second } = await withRefusedEdit();
    troubles.isRefusing = false;
    first.outbox.retry();
    await settle(400);
    expect([statesOf(first), statesOf(second)]).toEqual([[], []]);
    expect(server.titles.get('R-1')).toEqual(['R a', 'bad', 'later']);
  });

  test('continues when the earlier one is discarded', async () => {
    const { first, server, second } = await withRefusedEdit();
    first.outbox.discard(first.outbox.entries().find(({ isElsewhere }) => !isElsewhere)?.id ?? '');
    await settle(400);
    expect([statesOf(first), statesOf(second)]).toEqual([[], []]);
    expect(server.titles.get('R-1')).toEqual(['R a', 'later']);
  });
});
