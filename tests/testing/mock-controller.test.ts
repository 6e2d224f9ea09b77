import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Controller, Endpoint, NetworkError, RestEndpoint } from '../../src/index.ts';
import { Fixtures } from '../../src/control/testing/fixtures.ts';
import { withFixtures } from '../../src/control/testing/with-fixtures.ts';
import { type FetchInterceptor, MockController, mockInitialState } from '../../src/testing.ts';
import { count, getTodo, sent, Todo, TodoResource } from './model.ts';

beforeEach(() => {
  sent.length = 0;
});

describe('a fixture', () => {
  const fixture = { endpoint: getTodo, args: [{ id: '5' }], response: { id: '5', title: 'from a fixture' } } as const;

  it('answers the request that has its key, and the answer is stored like any other', async () => {
    const controller = new MockController({ fixtures: [fixture] });
    const todo = await controller.fetch(getTodo, { id: '5' });
    expect(todo).toBeInstanceOf(Todo);
    expect(todo.title).toBe('from a fixture');
    expect(controller.get(Todo, { id: '5' })).toBe(todo);
    expect(sent).toEqual([]);
  });

  it('answers the same request of another endpoint', async () => {
    const controller = new MockController({ fixtures: [fixture] });
    expect((await controller.fetch(TodoResource.get, { id: '5' })).title).toBe('from a fixture');
  });

  it('answers one page of a list, and no other request of the list', async () => {
    const { getList } = TodoResource.extend({ getList: { paginationField: 'cursor' } });
    const controller = new MockController({
      fixtures: [
        { endpoint: getList, args: [], response: [{ id: '1' }] },
        { endpoint: getList.getPage, args: [{ cursor: '2' }], response: [{ id: '2' }] },
      ],
    });
    expect((await controller.fetch(getList)).map(({ id }) => id)).toEqual(['1']);
    await controller.fetch(getList.getPage, { cursor: '2' });
    expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual(['1', '2']);
    await expect(controller.fetch(getList.getPage, { cursor: '3' })).rejects.toMatchObject({ code: 'fixture-missing' });
  });

  it('with a delay ends the request when the signal of the endpoint aborts', async () => {
    const controller = new MockController({ fixtures: [{ ...fixture, delay: 20 }] });
    const aborting = new AbortController();
    const fetched = controller.fetch(getTodo.extend({ signal: aborting.signal }), { id: '5' });
    aborting.abort();
    await expect(fetched).rejects.toMatchObject({ name: 'AbortError' });
    expect((await controller.fetch(getTodo, { id: '5' })).title).toBe('from a fixture');
  });

  it('with error fails the request with its response', async () => {
    const error = Object.assign(new Error('gone'), { status: 410 });
    const controller = new MockController({
      fixtures: [{ endpoint: getTodo, args: [{ id: '5' }], response: error, error: true }],
    });
    await expect(controller.fetch(getTodo, { id: '5' })).rejects.toBe(error);
    expect(controller.getError(getTodo, { id: '5' })).toBe(error);
  });

  it('that is later in the list has precedence over an earlier one', async () => {
    const later = { ...fixture, response: { id: '5', title: 'later' } };
    const controller = new MockController({ fixtures: [fixture, later] });
    expect((await controller.fetch(getTodo, { id: '5' })).title).toBe('later');
  });

  it('has precedence over an interceptor, before and after it in the list', async () => {
    const controller = new MockController({
      fixtures: [{ endpoint: getTodo, response: ({ id }: { id: string }) => ({ id, title: 'intercepted' }) }, fixture],
    });
    expect((await controller.fetch(getTodo, { id: '5' })).title).toBe('from a fixture');
    expect((await controller.fetch(getTodo, { id: '6' })).title).toBe('intercepted');
  });

  it('whose response is a function answers its own request only', async () => {
    let asked = 0;
    const controller = new MockController({
      fixtures: [{ endpoint: count, args: ['a'], response: () => ({ count: ++asked }) }],
    });
    expect(await controller.fetch(count, 'a')).toEqual({ count: 1 });
    expect(await controller.fetch(count, 'a')).toEqual({ count: 2 });
    await expect(controller.fetch(count, 'b')).rejects.toThrow('No fixture answers');
  });

  it('whose response is a function has precedence over an earlier one, and over an interceptor', async () => {
    const controller = new MockController({
      fixtures: [
        { endpoint: count, response: () => ({ count: 0 }) },
        { endpoint: count, args: ['a'], response: { count: 1 } },
        { endpoint: count, args: ['a'], response: () => ({ count: 2 }) },
      ],
    });
    expect(await controller.fetch(count, 'a')).toEqual({ count: 2 });
    expect(await controller.fetch(count, 'b')).toEqual({ count: 0 });
  });

  it('is found by the arguments of an optimistic mutation, whose optimistic value is shown at once', async () => {
    const controller = new MockController({
      fixtures: [
        fixture,
        {
          endpoint: TodoResource.partialUpdate,
          args: [{ id: '5' }, { title: 'new' }],
          response: { id: '5', title: 'as the server has it' },
        },
      ],
    });
    await controller.fetch(getTodo, { id: '5' });
    const patched = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'new' });
    expect(controller.get(Todo, { id: '5' })?.title).toBe('new');
    expect((await patched).title).toBe('as the server has it');
  });
});

describe('an interceptor', () => {
  it('is called with the arguments of the request, and `this` is the state that all interceptors share', async () => {
    interface Data {
      count: number;
    }
    const increment = new Endpoint(async (_by: number): Promise<{ count: number }> => ({ count: -1 }), {
      name: 'increment',
      sideEffect: true,
    });
    const controller = new MockController<Data>({
      getInitialInterceptorData: () => ({ count: 10 }),
      fixtures: [
        {
          endpoint: increment,
          response(by: number) {
            return { count: (this.count += by) };
          },
        },
        {
          endpoint: count,
          async response() {
            return { count: this.count };
          },
        },
      ],
    });
    expect(await controller.fetch(count, 'a')).toEqual({ count: 10 });
    expect(await controller.fetch(increment, 2)).toEqual({ count: 12 });
    expect(await controller.fetch(increment, 3)).toEqual({ count: 15 });
    expect(await controller.fetch(count, 'a')).toEqual({ count: 15 });
  });

  it('that throws, or rejects, fails the request', async () => {
    const error = new Error('no');
    const controller = new MockController({
      fixtures: [
        {
          endpoint: getTodo,
          response() {
            throw error;
          },
        },
        { endpoint: count, response: async () => Promise.reject(error) },
      ],
    });
    await expect(controller.fetch(getTodo, { id: '5' })).rejects.toBe(error);
    await expect(controller.fetch(count, 'a')).rejects.toBe(error);
  });

  it('that is earlier in the list has precedence over a later one', async () => {
    const controller = new MockController({
      fixtures: [
        { endpoint: count, response: () => ({ count: 1 }) },
        { endpoint: count, response: () => ({ count: 2 }) },
      ],
    });
    expect(await controller.fetch(count, 'a')).toEqual({ count: 1 });
  });

  describe('with fetchResponse', () => {
    const Shouting = new RestEndpoint({
      path: '/todos/:id',
      urlPrefix: 'http://api.test',
      method: 'PUT',
      schema: Todo,
      process: (value: { id: string; title: string }) => ({ ...value, title: value.title.toUpperCase() }),
    });

    it('gets the request that would be sent, and the endpoint processes its response', async () => {
      const seen: unknown[] = [];
      const interceptor: FetchInterceptor<{ asked: number }, typeof Shouting> = {
        endpoint: Shouting,
        fetchResponse(input, init) {
          seen.push([input, init.method, init.body, ++this.asked]);
          return Response.json({ id: '5', title: 'quiet' });
        },
      };
      const controller = new MockController({
        fixtures: [interceptor],
        getInitialInterceptorData: () => ({ asked: 0 }),
      });
      expect((await controller.fetch(Shouting, { id: '5' }, { title: 'x' })).title).toBe('QUIET');
      expect(seen).toEqual([['http://api.test/todos/5', 'PUT', '{"title":"x"}', 1]]);
    });

    it('may return plain data in place of a response with that JSON', async () => {
      const controller = new MockController({
        fixtures: [{ endpoint: Shouting, fetchResponse: () => ({ id: '5', title: 'quiet' }) }],
      });
      expect((await controller.fetch(Shouting, { id: '5' }, {})).title).toBe('QUIET');
    });

    it('fails the request when its response has an error status', async () => {
      const controller = new MockController({
        fixtures: [{ endpoint: Shouting, fetchResponse: () => new Response('', { status: 418 }) }],
      });
      const failed = controller.fetch(Shouting, { id: '5' }, {});
      await expect(failed).rejects.toBeInstanceOf(NetworkError);
      await expect(failed).rejects.toMatchObject({ status: 418 });
    });
  });
});

describe('delay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('delays the answer by the given number of milliseconds', async () => {
    const controller = new MockController({
      fixtures: [{ endpoint: count, args: ['a'], response: { count: 1 }, delay: 500 }],
    });
    const settled = vi.fn<(value: unknown) => void>();
    void controller.fetch(count, 'a').then(settled);
    await vi.advanceTimersByTimeAsync(499);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledWith({ count: 1 });
  });

  it('may be a function of the arguments', async () => {
    const controller = new MockController({
      fixtures: [{ endpoint: count, response: () => ({ count: 1 }), delay: (name: string) => name.length * 100 }],
    });
    const settled: string[] = [];
    void controller.fetch(count, 'longer').then(() => settled.push('longer'));
    void controller.fetch(count, 'a').then(() => settled.push('a'));
    await vi.advanceTimersByTimeAsync(100);
    expect(settled).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(500);
    expect(settled).toEqual(['a', 'longer']);
  });

  it.each([
    [false, 'before'],
    [true, 'after'],
  ])('with delayCollapse %s the response is made %s it', async (delayCollapse, when) => {
    const made = vi.fn<() => { count: number }>(() => ({ count: 1 }));
    const controller = new MockController({
      fixtures: [{ endpoint: count, response: made, delay: 100, delayCollapse }],
    });
    const fetched = controller.fetch(count, 'a');
    await vi.advanceTimersByTimeAsync(99);
    expect(made).toHaveBeenCalledTimes(when === 'before' ? 1 : 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await fetched).toEqual({ count: 1 });
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('delays an error as well, without an unhandled rejection meanwhile', async () => {
    const controller = new MockController({
      fixtures: [{ endpoint: count, response: () => Promise.reject(new Error('late')), delay: 100 }],
    });
    const fetched = controller.fetch(count, 'a');
    const caught = vi.fn<() => void>();
    fetched.catch(caught);
    await vi.advanceTimersByTimeAsync(99);
    expect(caught).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(caught).toHaveBeenCalledOnce();
  });
});

describe('a mock controller', () => {
  it('has no network, and a request without a fixture fails with an error that says what to add', async () => {
    const controller = new MockController();
    await expect(controller.fetch(getTodo, { id: '9' })).rejects.toMatchObject({
      code: 'fixture-missing',
      message: expect.stringContaining('GET http://api.test/todos/9') as string,
    });
    expect(sent).toEqual([]);
  });

  it('answers endpoints that are functions of your own with a key', async () => {
    const own = Object.assign(async (_id: string) => ({ id: 'network' }), {
      key: (id: string) => `own ${id}`,
      testKey: (key: string) => key.startsWith('own'),
      schema: Todo,
    });
    const controller = new MockController({ fixtures: [{ endpoint: own, args: ['5'], response: { id: '5' } }] });
    expect(await controller.fetch(own, '5')).toBe(controller.get(Todo, { id: '5' }));
    await expect(controller.fetch(own, '6')).rejects.toMatchObject({ code: 'fixture-missing' });
  });

  it('takes managers, which see requests and answers', async () => {
    const seen: string[] = [];
    const controller = new MockController({
      managers: [
        {
          middleware: () => (next) => (action) => {
            seen.push(action.type);
            return next(action);
          },
          cleanup: () => {},
        },
      ],
      fixtures: [{ endpoint: count, args: ['a'], response: { count: 1 } }],
    });
    await controller.fetch(count, 'a');
    expect(seen).toEqual(['rejoin/fetch', 'rejoin/setresponse']);
  });
});

describe('a controller that replaces another', () => {
  const fixture = { endpoint: getTodo, args: [{ id: '5' }], response: { id: '5', title: 'mocked' } } as const;
  function scene() {
    const real = new Controller();
    return { real, stand: withFixtures(real, new Fixtures({ fixtures: [fixture] })) };
  }

  it('answers from fixtures, and stores the answers in the store of both controllers', async () => {
    const { real, stand } = scene();
    expect(stand).toBeInstanceOf(Controller);
    expect(stand.store).toBe(real.store);
    const todo = await stand.fetch(getTodo, { id: '5' });
    expect(todo.title).toBe('mocked');
    expect(real.get(Todo, { id: '5' })).toBe(todo);
    expect(stand.fetchIfStale(getTodo, { id: '5' })).toBe(todo);
    expect(sent).toEqual([]);
  });

  it('sends requests without a fixture to the network, and does not change the other controller', async () => {
    const { real, stand } = scene();
    await expect(stand.fetch(getTodo, { id: '6' })).rejects.toThrow('GET http://api.test/todos/6 was sent');
    await expect(real.fetch(getTodo, { id: '5' })).rejects.toThrow('GET http://api.test/todos/5 was sent');
  });

  it('passes actions on that are dispatched by hand', async () => {
    const { real, stand } = scene();
    await stand.dispatch({ type: 'rejoin/set', schema: Todo, args: [{ id: '1' }], value: { id: '1', title: 'set' } });
    expect(real.get(Todo, { id: '1' })?.title).toBe('set');
    const own = {
      caller: {},
      type: 'rejoin/fetch',
      endpoint: getTodo,
      args: [{ id: '5' }],
      key: getTodo.key({ id: '5' }),
    } as const;
    await stand.dispatch({ ...own, fetchedAt: 0 });
    expect(real.get(Todo, { id: '5' })?.title).toBe('mocked');
  });

  it('shows views of endpoints and of queryables', async () => {
    const { real, stand } = scene();
    await stand.fetch(getTodo, { id: '5' });
    expect(stand.view(getTodo, { id: '5' }).current()).toMatchObject({ status: 'fresh' });
    expect(stand.view(Todo, { id: '5' }).current()).toEqual({ status: 'fresh', value: real.get(Todo, { id: '5' }) });
  });

  it('has the same methods each time they are read', () => {
    const { stand } = scene();
    expect(stand.fetch).toBe(stand.fetch);
    expect(stand.set).toBe(stand.set);
    expect(stand.dispatch).toBe(stand.dispatch);
  });

  it('calls fixtures again at each poll', async () => {
    const copied = new Fixtures({ fixtures: [fixture] }).copyOf(getTodo);
    expect((await copied.extend({ dataExpiryLength: 5 })({ id: '5' })) as unknown).toEqual(fixture.response);
  });

  it('copies an endpoint once, and does not copy a copy', () => {
    const fixtures = new Fixtures({ fixtures: [fixture] });
    const copy = fixtures.copyOf(getTodo);
    expect(fixtures.copyOf(getTodo)).toBe(copy);
    expect(fixtures.copyOf(copy)).toBe(copy);
    expect(copy.key({ id: '5' })).toBe(getTodo.key({ id: '5' }));
  });
});

describe('mockInitialState', () => {
  it('stores the responses in a controller before the first read, as if the requests had been answered', () => {
    const controller = new Controller();
    mockInitialState([
      { endpoint: getTodo, args: [{ id: '5' }], response: { id: '5', title: 'there' } },
      { endpoint: count, args: ['a'], response: { count: 3 } },
    ])(controller);
    expect(controller.get(Todo, { id: '5' })?.title).toBe('there');
    expect(controller.getResponse(count, 'a')).toMatchObject({ data: { count: 3 }, expiryStatus: 3 });
    expect(sent).toEqual([]);
  });

  it('stores errors', () => {
    const controller = new Controller();
    const error = new Error('no');
    mockInitialState([{ endpoint: count, args: ['a'], response: error, error: true }])(controller);
    expect(controller.getError(count, 'a')).toBe(error);
  });

  it('leaves out fixtures whose response is a function', () => {
    const controller = new Controller();
    mockInitialState([{ endpoint: count, response: () => ({ count: 3 }) }])(controller);
    mockInitialState()(controller);
    expect(controller.getResponse(count, 'a').data).toBeUndefined();
  });

  it('stores an error for a request whose answer cannot be stored', async () => {
    const controller = new Controller();
    mockInitialState([{ endpoint: getTodo, args: [{ id: '5' }], response: { title: 'no id' } }])(controller);
    await expect.poll(() => controller.getError(getTodo, { id: '5' })).toMatchObject({ code: 'pk-missing' });
  });
});
