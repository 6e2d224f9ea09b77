import { describe, expect, it } from 'vitest';
import { Clock, rest, Switch } from '../../../tests/streams/clock.ts';
import { batched } from '../../define/endpoint/batching.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Entity } from '../../define/schema/entity.ts';
import { dehydrate } from '../../state/hydrate/dehydrate.ts';
import { Controller } from '../controller/controller.ts';
import { DevToolsManager } from './devtools-manager.ts';
import type { DevToolsMessage } from './devtools-extension.ts';
import { LogoutManager } from './logout-manager.ts';
import { PollingSubscription } from './polling-subscription.ts';
import { RefetchManager } from './refetch-manager.ts';
import { StreamManager } from './stream-manager.ts';
import type { StreamEvents } from './stream-source.ts';
import { SubscriptionManager } from './subscription-manager.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

/** A server that answers when the test says so, with what the user of the moment of the request may see. */
function world() {
  const clock = new Clock();
  const network = new Switch();
  const state = { user: 'ann', isOver: false };
  const open: { readonly asked: string; readonly signal: AbortSignal | undefined; readonly answer: () => void }[] = [];
  const answerLater = <Value>(asked: string, signal: AbortSignal | undefined, value: Value): Promise<Value> =>
    new Promise((resolve, reject) => {
      const refused = state.isOver ? Object.assign(new Error(`not ${state.user}`), { status: 401 }) : undefined;
      open.push({ asked, signal, answer: () => (refused === undefined ? resolve(value) : reject(refused)) });
    });
  const signalOf = (endpoint: unknown): AbortSignal | undefined =>
    (endpoint as { readonly exchange?: { readonly signal: AbortSignal } }).exchange?.signal;
  const getNote = new Endpoint(
    function (this: unknown, { id }: { id: string }): Promise<object> {
      return answerLater(`note ${id}`, signalOf(this), { id, text: `secret of ${state.user}` });
    },
    { name: 'getNote', schema: Note, pollFrequency: 1000 },
  );
  const getNotes = new Endpoint(
    ({ ids }: { ids: string[] }): Promise<object[]> =>
      answerLater(
        `notes ${ids.join()}`,
        undefined,
        ids.map((id) => ({ id, text: `secret of ${state.user}` })),
      ),
    { name: 'getNotes' },
  );
  const getOne = batched(getNotes, { schema: Note, platform: clock });
  const save = new Endpoint(
    (note: object): Promise<object> => answerLater('save', undefined, { ...note, text: `secret of ${state.user}` }),
    { name: 'save', schema: Note, sideEffect: true, getOptimisticResponse: (_: unknown, note: object) => note },
  );
  return { clock, network, state, open, getNote, getOne, save };
}

function managed() {
  const all = world();
  const { clock, network } = all;
  const lines: StreamEvents[] = [];
  class Polling extends PollingSubscription {
    constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
      super(subscribed, controller, { platform: clock, presence: network });
    }
  }
  const sent: unknown[] = [];
  let say: (message: DevToolsMessage) => void = () => {};
  const monitor = {
    init: () => {},
    send: (action: unknown) => void sent.push(action),
    subscribe: (listener: typeof say) => {
      say = listener;
      return undefined;
    },
  };
  const stream = new StreamManager(
    (events) => {
      lines.push(events);
      return { close: () => {} };
    },
    { platform: clock, presence: network, write: ({ data }) => ({ schema: Note, value: data }) },
  );
  const controller = new Controller({
    managers: [
      new DevToolsManager({ extension: { connect: () => monitor }, platform: clock }),
      new LogoutManager(),
      stream,
      new RefetchManager({ page: {}, platform: clock }),
      new SubscriptionManager(Polling),
    ],
    now: clock.now,
  });
  const everything = (): string => JSON.stringify([dehydrate(controller.store), [...controller.store.results()]]);
  return { ...all, lines, sent, say: (type: string) => say({ type }), stream, controller, everything };
}

describe('after a logout', () => {
  it('no data of the former user is stored, also with requests in flight, at the same time, or with the clock set back', async () => {
    const { clock, state, open, lines, getNote, getOne, save, controller, everything } = managed();
    lines[0]?.opened();
    lines[0]?.message({ type: 'message', data: '{"id":"s1","text":"secret of ann"}' });
    const asked = Promise.allSettled([
      controller.fetch(getNote, { id: '1' }),
      controller.fetch(getOne, { id: '2' }),
      controller.fetch(save, { id: '3', text: 'secret of ann' }),
    ]);
    await controller.subscribe(getNote, { id: '4' });
    await controller.set(Note, { id: '5' }, { id: '5', text: 'secret of ann' });
    await clock.pass(1000);
    expect(open.map((one) => one.asked).toSorted()).toEqual(['note 1', 'note 4', 'notes 2', 'save']);
    expect(everything()).toContain('secret of ann');

    clock.time -= 3_600_000;
    await controller.resetEntireStore();
    state.user = 'bob';
    expect(everything()).not.toContain('ann');
    for (const { answer } of open) answer();
    lines[0]?.message({ type: 'message', data: '{"id":"s2","text":"secret of ann"}' });
    expect((await asked).map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await clock.pass(500);
    expect(everything()).not.toContain('ann');
    expect(controller.store.stats()).toMatchObject({ rows: 0, results: 0, layers: 0 });
    expect(open.find((one) => one.asked === 'note 1')?.signal?.aborted).toBe(true);
  });

  it('the same subscriptions and batches fetch answers for the next user', async () => {
    const { clock, state, open, lines, getNote, getOne, stream, controller, everything } = managed();
    await controller.subscribe(getNote, { id: '4' });
    void controller.fetch(getOne, { id: '2' }).catch(() => {});
    await rest();
    await controller.resetEntireStore();
    state.user = 'bob';
    stream.open();
    lines[1]?.opened();
    lines[1]?.message({ type: 'message', data: '{"id":"s1","text":"secret of bob"}' });
    const asked = controller.fetch(getOne, { id: '2' });
    await clock.pass(1000);
    for (const { answer } of open) answer();
    await rest();
    expect((await asked).text).toBe('secret of bob');
    expect(controller.getResponse(getNote, { id: '4' }).data).toMatchObject({ text: 'secret of bob' });
    expect(controller.get(Note, { id: 's1' })).toMatchObject({ text: 'secret of bob' });
    expect(everything()).not.toContain('ann');
    controller.dispose();
    await rest();
    expect(clock.timers.size).toBe(0);
  });

  it('everything is removed, also if several answers with 401 arrive at once', async () => {
    const { clock, state, open, getNote, controller, everything } = managed();
    await controller.set(Note, { id: '5' }, { id: '5', text: 'secret of ann' });
    state.isOver = true;
    const asked = Promise.allSettled(['1', '2', '3'].map((id) => controller.fetch(getNote, { id })));
    await rest();
    for (const { answer } of open) answer();
    const settled = await asked;
    expect(settled.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((settled[0] as PromiseRejectedResult).reason).toMatchObject({ status: 401 });
    await clock.pass(0);
    expect(everything()).not.toContain('ann');
    expect(controller.getError(getNote, { id: '1' })).toBeUndefined();
  });

  it('a monitor that was closed gets no data of the former user', async () => {
    const { sent, say, controller } = managed();
    await controller.set(Note, { id: '5' }, { id: '5', text: 'secret of ann' });
    await controller.resetEntireStore();
    say('START');
    await rest();
    expect(sent).toMatchObject([{ type: 'rejoin/reset' }]);
  });
});
