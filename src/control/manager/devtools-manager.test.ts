import { afterEach, describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import { Clock, rest } from '../../../tests/streams/clock.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import { actionTypes } from '../controller/action.ts';
import { Controller } from '../controller/controller.ts';
import { getDefaultManagers } from './default-managers.ts';
import { type DevToolsConfig, DevToolsManager } from './devtools-manager.ts';
import type { DevToolsConnection, DevToolsExtension, DevToolsMessage } from './devtools-extension.ts';

const getUser = new Endpoint(async ({ id }: { id: string }) => ({ id, name: 'Ann' }), {
  name: 'getUser',
  schema: User,
  dataExpiryLength: 60_000,
});

interface Sent {
  readonly action: { readonly type: string; readonly [member: string]: unknown } | null;
  readonly state: Dehydrated;
}

/** A substitute for the browser extension, as a page sees it. */
class Monitor implements DevToolsExtension, DevToolsConnection {
  options: object | undefined;
  readonly inits: unknown[] = [];
  readonly sent: Sent[] = [];
  readonly errors: string[] = [];
  isGone = false;
  /** Called at each message, to simulate slow messages. */
  work = (): void => {};
  #listener: ((message: DevToolsMessage) => void) | undefined;

  connect(options: object): DevToolsConnection {
    this.options = options;
    return this;
  }
  init(state: unknown): void {
    this.inits.push(JSON.parse(JSON.stringify(state)));
  }
  send(action: Sent['action'], state: unknown): void {
    this.work();
    // The extension gets a copy in another process.
    this.sent.push(JSON.parse(JSON.stringify({ action, state })) as Sent);
  }
  subscribe(listener: (message: DevToolsMessage) => void): () => void {
    this.#listener = listener;
    return () => void (this.#listener = undefined);
  }
  error(message: string): void {
    this.errors.push(message);
  }
  unsubscribe(): void {
    this.isGone = true;
  }
  async say(type: string, message: Partial<DevToolsMessage> = {}): Promise<void> {
    this.#listener?.({ type, ...message });
    await rest();
  }
  click(type: string, state?: unknown, payload: object = {}): Promise<void> {
    return this.say('DISPATCH', {
      payload: { type, ...payload },
      ...(state !== undefined && { state: JSON.stringify(state) }),
    });
  }
  get types(): unknown[] {
    return this.sent.map(({ action }) => action?.type);
  }
}

async function world(config: DevToolsConfig = {}, skip?: ConstructorParameters<typeof DevToolsManager>[1]) {
  const monitor = new Monitor();
  const clock = new Clock();
  const devTools = new DevToolsManager({ extension: monitor, platform: clock, ...config }, skip);
  const controller = new Controller({ managers: [devTools, ...getDefaultManagers()], now: clock.now });
  await monitor.say('START');
  const nameOf = (id: string): string | undefined => controller.get(User, { id })?.name;
  return { monitor, clock, devTools, controller, nameOf };
}

describe('DevToolsManager', () => {
  it('connects with its name and features, and sends the current state', async () => {
    const { monitor } = await world({ name: 'Shop', trace: true });
    expect(monitor.options).toMatchObject({ name: 'Shop', trace: true, maxAge: 100 });
    expect(monitor.options).toMatchObject({ features: { pause: true, jump: true, export: true, import: 'custom' } });
    expect(monitor.options).not.toHaveProperty('platform');
    expect(monitor.inits).toMatchObject([{ format: 'rejoin', tables: [], results: [] }]);
  });

  it('has one connection, also for a controller that has replaced another one', () => {
    const listeners = new Set<unknown>();
    const subscribe: DevToolsConnection['subscribe'] = (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    const extension = { connect: () => ({ init: () => {}, send: () => {}, subscribe }) };
    const managers = [new DevToolsManager({ extension })];
    const controllers = [1, 2].map(() => new Controller({ managers }));
    expect(listeners.size).toBe(1);
    for (const controller of controllers) controller.dispose();
    expect(listeners.size).toBe(0);
  });

  it('sends each action with its endpoint or schema, its payload and the state after it', async () => {
    const { monitor, controller } = await world();
    await controller.fetch(getUser, { id: '1' });
    await controller.set(User, { id: '1' }, { id: '1', name: 'Bea' });
    await controller.set(User, { id: '1' }, ({ id }: User) => ({ id, name: 'Cleo' }));
    await controller.invalidate(getUser, { id: '1' });
    await controller.expireAll(getUser);
    await controller.subscribe(getUser, { id: '1' });
    await rest();
    const key = 'getUser [{"id":"1"}]';
    const about = { endpoint: 'getUser', args: [{ id: '1' }], key };
    expect(monitor.sent.map(({ action }) => action)).toMatchObject([
      { type: `rejoin/fetch ${key}`, ...about },
      { type: `rejoin/setresponse ${key}`, ...about, response: { id: '1', name: 'Ann' } },
      { type: 'rejoin/set User', args: [{ id: '1' }], value: { name: 'Bea' } },
      { type: 'rejoin/set User', value: 'a function' },
      { type: `rejoin/invalidate ${key}` },
      { type: 'rejoin/expireall' },
      { type: `rejoin/subscribe ${key}`, ...about },
    ]);
    expect(monitor.sent.slice(0, 3).map(({ state }) => state.tables)).toMatchObject([
      [],
      [['User', [['1', { name: 'Ann' }, 0, 0, 60_000]]]],
      [['User', [['1', { name: 'Bea' }, 0, 0, 60_000]]]],
    ]);
  });

  it('sends the name, message, status and code of an error', async () => {
    const { monitor, controller } = await world();
    await controller.setError(getUser, { id: '1' }, Object.assign(new Error('no'), { status: 404, code: 'x' }));
    await controller.setError(getUser, { id: '1' }, 'gone');
    const failing: ConstructorParameters<typeof Controller>[0] = {
      managers: [
        new DevToolsManager({ extension: monitor }),
        { middleware: () => () => () => Promise.reject(new Error('refused')), cleanup: () => {} },
      ],
    };
    await expect(new Controller(failing).set(User, { id: '1' }, {})).rejects.toThrow('refused');
    expect(monitor.sent.map(({ action }) => action)).toMatchObject([
      { error: { name: 'Error', message: 'no', status: 404, code: 'x' } },
      { error: 'gone' },
    ]);
    await monitor.say('START');
    expect(monitor.types.at(-1)).toBe('rejoin/set User');
  });

  it('sends an action of a schema without a name, an optimistic update, and a reset', async () => {
    const { monitor, controller } = await world();
    const rename = new Endpoint(async (body: object) => body, {
      name: 'rename',
      schema: User,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    await controller.fetch(rename, { id: '1', name: 'Zoe' });
    await controller.dispatch({ type: actionTypes.SET, schema: [User] as never, args: [], value: [] });
    await controller.resetEntireStore();
    expect(monitor.types).toEqual([
      'rejoin/fetch rename [{"id":"1","name":"Zoe"}]',
      'rejoin/optimistic rename [{"id":"1","name":"Zoe"}]',
      'rejoin/setresponse rename [{"id":"1","name":"Zoe"}]',
      'rejoin/set',
      'rejoin/reset',
    ]);
  });

  it.each([{ perSecond: 0 }, { maxAge: Number.NaN }])('refuses %j', (config) => {
    expect(() => new DevToolsManager(config)).toThrow(expect.objectContaining({ code: 'manager-option-invalid' }));
  });

  it('does not send the actions that its second argument excludes', async () => {
    const { monitor, controller } = await world({}, ({ type }) => type === actionTypes.FETCH);
    await controller.fetch(getUser, { id: '1' });
    expect(monitor.types).toEqual(['rejoin/setresponse getUser [{"id":"1"}]']);
  });
});

describe('time travel', () => {
  async function past() {
    const all = await world();
    const { controller, monitor } = all;
    await controller.fetch(getUser, { id: '1' });
    await controller.set(User, { id: '1' }, { id: '1', name: 'Bea' });
    const [, fetched, renamed] = monitor.sent.map(({ state }) => state);
    return { ...all, fetched, renamed };
  }

  it.each(['JUMP_TO_ACTION', 'JUMP_TO_STATE'])('shows any other state in one commit after %s', async (type) => {
    const { controller, monitor, nameOf, fetched, renamed } = await past();
    const received: (string | undefined)[] = [];
    controller.watch(getUser, { id: '1' }, (answer) => {
      const shown = answer.status === 'fresh' ? answer.value.name : answer.status;
      if (shown !== received.at(-1)) received.push(shown);
    });
    let commits = 0;
    controller.store.onCommit(() => commits++);
    await monitor.click(type, fetched);
    expect([nameOf('1'), commits]).toEqual(['Ann', 1]);
    await monitor.click(type, renamed);
    expect(nameOf('1')).toBe('Bea');
    await monitor.click(type, monitor.inits[0]);
    expect(nameOf('1')).toBeUndefined();
    expect(received).toEqual(['Bea', 'Ann', 'Bea', 'missing']);
    expect(monitor.sent).toHaveLength(3);
  });

  it('shows data as fresh that was fresh in that state, also an hour later', async () => {
    const { clock, controller, monitor, fetched } = await past();
    await clock.pass(3_600_000);
    expect(controller.view(getUser, { id: '1' }).current()).toMatchObject({ status: 'stale' });
    await monitor.click('JUMP_TO_STATE', fetched);
    expect(controller.view(getUser, { id: '1' }).current()).toMatchObject({ status: 'fresh' });
    await clock.pass(60_001);
    expect(controller.view(getUser, { id: '1' }).current()).toMatchObject({ status: 'stale' });
    await controller.fetch(getUser, { id: '1' });
    await clock.pass(20_000);
    await controller.set(User, { id: '2' }, { id: '2' });
    await clock.pass(3_600_000);
    await monitor.click('JUMP_TO_STATE', monitor.sent.at(-1)?.state);
    expect(controller.getResponse(getUser, { id: '1' }).expiresAt).toBe(clock.time + 40_000);
    const forEver = getUser.extend({ name: 'forEver', dataExpiryLength: Infinity });
    await controller.fetch(forEver, { id: '2' });
    await monitor.click('JUMP_TO_STATE', monitor.sent.at(-1)?.state);
    expect(controller.getResponse(forEver, { id: '2' }).expiresAt).toBe(Infinity);
  });

  it('removes errors that came after that state', async () => {
    const { controller, monitor, fetched } = await past();
    await controller.setError(getUser, { id: '1' }, new Error('late'));
    await monitor.click('JUMP_TO_STATE', fetched);
    expect(controller.getError(getUser, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(getUser, { id: '1' }).data).toMatchObject({ name: 'Ann' });
  });

  it('rejects requests that are in flight, and ignores their answers', async () => {
    const { controller, monitor, nameOf, fetched } = await past();
    let answer = (): void => {};
    const slow = new Endpoint(
      () => new Promise<object>((resolve) => void (answer = () => resolve({ id: '1', name: 'Late' }))),
      { name: 'slow', schema: User },
    );
    const asked = controller.fetch(slow).catch((error: unknown) => error);
    await monitor.click('JUMP_TO_STATE', fetched);
    answer();
    expect(await asked).toMatchObject({ code: 'request-reset' });
    expect(nameOf('1')).toBe('Ann');
  });

  it('supports the buttons commit, rollback and reset', async () => {
    const { controller, monitor, nameOf, fetched } = await past();
    await monitor.click('COMMIT');
    expect(monitor.inits.at(-1)).toMatchObject({ tables: [['User', [['1', { name: 'Bea' }, 0, 0, 60_000]]]] });
    await monitor.click('ROLLBACK', fetched);
    expect(nameOf('1')).toBe('Ann');
    expect(monitor.inits.at(-1)).toMatchObject({ tables: [['User', [['1', { name: 'Ann' }, 0, 0, 60_000]]]] });
    await monitor.click('RESET');
    expect(controller.store.stats().rows).toBe(0);
    expect(monitor.inits.at(-1)).toMatchObject({ tables: [] });
  });

  it('shows the last state of an imported history', async () => {
    const { monitor, nameOf, fetched } = await past();
    const nextLiftedState = { computedStates: [{ state: monitor.inits[0] }, { state: fetched }] };
    await monitor.click('IMPORT_STATE', undefined, { nextLiftedState });
    expect(nameOf('1')).toBe('Ann');
    expect(monitor.sent.at(-1)).toEqual({ action: null, state: nextLiftedState });
  });

  it.each([
    ['text that is not JSON', '{'],
    ['JSON that is not a state', '{"a":1}'],
    [
      'a state whose rows are invalid',
      '{"format":"rejoin","version":1,"at":0,"tables":[1,[2,3],["User",[4]]],"results":[5]}',
    ],
    ['a message without a state', undefined],
  ])('reports an error for %s, and changes nothing', async (_, state) => {
    const { monitor, nameOf } = await past();
    await monitor.say('DISPATCH', { payload: { type: 'JUMP_TO_STATE' }, ...(state !== undefined && { state }) });
    expect(monitor.errors).toHaveLength(1);
    expect(nameOf('1')).toBe('Bea');
  });

  it('ignores messages of unknown types', async () => {
    const { monitor, nameOf } = await past();
    await monitor.click('TOGGLE_ACTION', { a: 1 });
    await monitor.say('ACTION', { payload: 'x()' });
    await monitor.say('DISPATCH');
    await monitor.click('IMPORT_STATE', undefined, {});
    expect(nameOf('1')).toBe('Bea');
  });
});

describe('a monitor that is closed, slow or flooded', () => {
  it('gets the latest hundred actions when it is opened', async () => {
    const { monitor, controller } = await world();
    await monitor.say('STOP');
    for (let at = 0; at < 150; at++) void controller.set(User, { id: '1' }, { id: '1', name: String(at) });
    await rest();
    expect(monitor.sent).toEqual([]);
    await monitor.say('START');
    expect(monitor.types).toEqual(['150 actions']);
    expect(monitor.sent[0]?.action).toMatchObject({ leftOut: 50 });
    await monitor.say('STOP');
    for (let at = 0; at < 2; at++) void controller.set(User, { id: '1' }, { id: '1', name: String(at) });
    await rest();
    await monitor.say('START');
    expect(monitor.sent[1]?.action).toMatchObject({ type: '2 actions', leftOut: 0 });
    expect(monitor.sent[0]?.action?.['actions']).toMatchObject({ 0: { value: { name: '50' } }, length: 100 });
  });

  it('gets no messages while it is paused', async () => {
    const { monitor, controller } = await world();
    await monitor.click('PAUSE_RECORDING', undefined, { status: true });
    await controller.set(User, { id: '1' }, { id: '1' });
    await monitor.click('PAUSE_RECORDING', undefined, { status: false });
    expect(monitor.sent).toEqual([]);
    await controller.set(User, { id: '1' }, { id: '1', name: 'b' });
    expect(monitor.sent).toHaveLength(1);
  });

  it('gets at most twenty messages a second, which contain all actions', async () => {
    const { monitor, clock, controller } = await world();
    let done = 0;
    for (let step = 0; step < 1000; step++) {
      void controller.set(User, { id: '1' }, { id: '1', name: String(++done) });
      // oxlint-disable-next-line no-await-in-loop -- a millisecond each
      await clock.pass(1);
    }
    await clock.pass(100);
    expect(monitor.sent.length).toBeGreaterThan(30);
    expect(monitor.sent.length).toBeLessThanOrEqual(42);
    const shown = monitor.sent.flatMap(({ action }) => (action?.['actions'] as unknown[] | undefined) ?? [action]);
    expect(shown).toHaveLength(1000);
    expect(clock.timers.size).toBe(0);
  });

  it('gets fewer messages when each message takes long', async () => {
    const { monitor, clock, controller } = await world();
    monitor.work = () => void (clock.time += 50);
    for (let step = 0; step < 100; step++) {
      void controller.set(User, { id: '1' }, { id: '1', name: String(step) });
      // oxlint-disable-next-line no-await-in-loop
      await clock.pass(10);
    }
    expect(monitor.sent.length).toBeLessThan(8);
  });

  it('does not get actions that were waiting when the user pressed commit', async () => {
    const { monitor, clock, controller } = await world({ perSecond: 1 });
    for (let at = 0; at < 3; at++) void controller.set(User, { id: '1' }, { id: '1', name: String(at) });
    await rest();
    await monitor.click('COMMIT');
    await clock.pass(10_000);
    expect(monitor.sent).toHaveLength(1);
    expect(monitor.inits.at(-1)).toMatchObject({ tables: [['User', [['1', { name: '2' }, 0, 0, 60_000]]]] });
  });

  it('gets a message every other second with half a message per second', async () => {
    const { monitor, clock, controller } = await world({ perSecond: 0.5 });
    for (const name of ['Ann', 'Bea']) {
      await controller.set(User, { id: '1' }, { id: '1', name }); // oxlint-disable-line no-await-in-loop -- one after another
      await clock.pass(2000); // oxlint-disable-line no-await-in-loop
    }
    expect(monitor.sent).toHaveLength(2);
  });

  it('that throws does not make the application fail', async () => {
    const { monitor, controller, nameOf } = await world();
    monitor.work = () => {
      throw new TypeError('Do not know how to serialize a BigInt');
    };
    await controller.set(User, { id: '1' }, { id: '1', name: 'Ann' });
    expect(nameOf('1')).toBe('Ann');
    expect(monitor.errors).toEqual(['TypeError: Do not know how to serialize a BigInt']);
  });

  it('gets no messages after the controller is disposed of', async () => {
    const { monitor, clock, controller } = await world({ perSecond: 1 });
    for (let at = 0; at < 3; at++) void controller.set(User, { id: '1' }, { id: '1', name: String(at) });
    await rest();
    expect(clock.timers.size).toBe(1);
    controller.dispose();
    expect([monitor.isGone, clock.timers.size]).toEqual([true, 0]);
    await controller.set(User, { id: '1' }, { id: '1' });
    await monitor.click('RESET');
    await clock.pass(10_000);
    expect(monitor.sent).toHaveLength(1);
    expect(controller.store.stats().rows).toBe(1);
  });
});

describe('the extension', () => {
  const GLOBAL = '__REDUX_DEVTOOLS_EXTENSION__';
  const environment = process.env['NODE_ENV'];
  const connects = (config: DevToolsConfig = {}): boolean => {
    const monitor = new Monitor();
    Object.assign(globalThis, { [GLOBAL]: monitor });
    const controller = new Controller({ managers: [new DevToolsManager(config)] });
    void controller.set(User, { id: '1' }, { id: '1' });
    controller.dispose();
    return monitor.options !== undefined;
  };
  afterEach(() => {
    Reflect.deleteProperty(globalThis, GLOBAL);
    process.env['NODE_ENV'] = environment;
  });

  it('of the browser is used in development, and not in production', () => {
    expect(connects()).toBe(true);
    process.env['NODE_ENV'] = 'production';
    expect(connects()).toBe(false);
  });

  it('of the browser is used when there is no global `process`', () => {
    const before = globalThis.process;
    Object.assign(globalThis, { process: undefined });
    try {
      expect(connects()).toBe(true);
    } finally {
      Object.assign(globalThis, { process: before });
    }
  });

  it('from the options is used, in production too', () => {
    process.env['NODE_ENV'] = 'production';
    const monitor = new Monitor();
    expect(connects({ extension: monitor })).toBe(false);
    expect(monitor.options).toBeDefined();
  });

  it('is optional, and needs only the methods of the protocol', async () => {
    const without = new Controller({ managers: [new DevToolsManager()] });
    await without.set(User, { id: '1' }, { id: '1' });
    expect(without.get(User, { id: '1' })).toBeDefined();
    without.dispose();
    let listener: (message: DevToolsMessage) => void = () => {};
    const bare = {
      init: () => {},
      send: () => {},
      subscribe: (given: typeof listener) => {
        listener = given;
        return undefined;
      },
    };
    const controller = new Controller({ managers: [new DevToolsManager({ extension: { connect: () => bare } })] });
    listener({ type: 'DISPATCH', payload: { type: 'JUMP_TO_STATE' }, state: '{' });
    await rest();
    controller.dispose();
  });
});
