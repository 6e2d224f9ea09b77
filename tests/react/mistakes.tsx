import * as React from 'react';
import { type ReactNode, Suspense } from 'react';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { type Controller, Endpoint, Entity, Query } from 'rejoin';
import {
  ControllerContext,
  DataProvider,
  useCache,
  useController,
  useMutation,
  useQuery,
  useSuspense,
} from 'rejoin/react';
import { Catch, Post, show, type Shown, until, world } from './harness.tsx';

class Report extends Entity {
  id = '';
  lines: { text: string }[] = [];
  author: Post = Post.fromJS();
  static override key = 'Report';
  static override schema = { author: Post };
}

const getReport = new Endpoint(async (): Promise<unknown> => ({}), { name: 'getReport', schema: Report });
const getReports = new Endpoint(async (): Promise<unknown> => [], { name: 'getReports', schema: { all: [Report] } });
const getCount = new Endpoint(async (): Promise<unknown> => ({}), { name: 'getCount' });

/** A component that calls `use`, in a boundary that shows its error. */
function doing(use: () => void, controller?: Controller): Shown {
  function Careless(): ReactNode {
    use();
    return 'fine';
  }
  const element = (
    <Catch>
      <Suspense fallback="loading">
        <Careless />
      </Suspense>
    </Catch>
  );
  return show(controller === undefined ? element : <DataProvider controller={controller}>{element}</DataProvider>);
}

async function expectFailure({ text }: Shown, message: string): Promise<void> {
  await until(
    () => text().startsWith('failed'),
    () => text(),
  );
  expect(text()).toContain(message);
}

/** Mistakes in the use of the library, each with its error. */
export function mistakes({ isEmulated }: { readonly isEmulated: boolean }): void {
  const { mode, react } = inject('build');
  const isDevelopment = mode === 'development';

  describe('a mistake', () => {
    test('such as a hook outside of a provider throws an error', async () => {
      await expectFailure(
        doing(() => void useController()),
        'outside of a <DataProvider>',
      );
      await expectFailure(
        doing(() => void useQuery(Post, { id: '1' })),
        'outside of a <DataProvider>',
      );
    });

    test('such as a second copy of the library throws an error', async () => {
      const page = globalThis as Record<string, unknown>;
      const before = page['rejoin.react'];
      page['rejoin.react'] = {};
      try {
        await expectFailure(
          doing(() => void useQuery(Post, { id: '1' })),
          'another copy',
        );
      } finally {
        page['rejoin.react'] = before;
      }
    });

    test('such as a mutation in a hook that reads throws an error', async () => {
      const { controller, server } = world();
      const create = new Endpoint(server.answers<[{ title: string }]>('create'), {
        name: 'create',
        schema: Post,
        sideEffect: true,
      });
      // @ts-expect-error -- the compiler says so as well
      const shown = doing(() => useSuspense(create, { title: 'x' }), controller);
      await expectFailure(shown, 'which is a mutation');
      expect(server.asked).toEqual([]);
    });

    test('such as a class instead of an endpoint in useMutation causes a warning in development', async () => {
      const { controller } = world();
      const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      onTestFinished(() => warnings.mockRestore());
      class Draft extends Entity {}
      // @ts-expect-error -- the compiler says so as well
      const { text } = doing(() => void useMutation(Draft), controller);
      await until(() => text() === 'fine', text);
      const resource = { get: getCount };
      // @ts-expect-error -- and for a resource
      const { text: other } = doing(() => void useMutation(resource), controller);
      await until(() => other() === 'fine', other);
      const warningOf = (given: string): unknown =>
        expect.stringContaining(`useMutation() was given ${given} instead of`);
      expect(warnings.mock.calls).toEqual(
        isDevelopment ? [[warningOf('the class Draft')], [warningOf('something else')]] : [],
      );
    });

    // React 18 reports errors of effects in a way that the emulated page does not support.
    test.skipIf(!isDevelopment || (isEmulated && react === '18'))(
      'such as a schema that is created in render throws an error',
      async () => {
        const { controller } = world();
        let isOver = false;
        const shown = doing(() => {
          const [, setCount] = React.useState(0);
          React.useEffect(() => {
            if (!isOver) setCount((count) => count + 1);
          });
          useQuery(new Query(Post, (post) => post.title), { id: '1' });
        }, controller);
        await until(() => shown.text().startsWith('failed'));
        isOver = true;
        expect(shown.text()).toContain('created again in each render');
      },
    );

    test.each<readonly [what: string, change: (report: Report) => void]>([
      ['a field of a record', (report) => (report.id = '2')],
      ['a field of a record that it refers to', ({ author }) => (author.title = 'changed')],
      ['a list in a record', ({ lines }) => lines.push({ text: 'more' })],
      ['an object in a record', ({ lines: [line] }) => Object.assign(line ?? {}, { text: 'changed' })],
    ])('such as changing %s throws at its own line in development', async (_what, change) => {
      const { controller } = world();
      const report = { id: '1', lines: [{ text: 'one' }], author: { id: '5', title: 'somebody' } };
      void controller.setResponse(getReport, report);
      await expectTold(controller, () => useCache(getReport) as Report, change);
      if (isDevelopment) expect(JSON.stringify(controller.get(Report, { id: '1' }))).toBe(JSON.stringify(report));
    });

    test('such as sorting a list in place throws at its own line in development', async () => {
      const { controller } = world();
      void controller.setResponse(getReports, { all: [{ id: '2' }, { id: '1' }] });
      await expectTold(
        controller,
        () => useCache(getReports),
        ({ all = [] }) => (all as Report[]).sort((a, b) => Number(a.id) - Number(b.id)),
      );
    });

    test('such as changing an answer that has no schema throws at its own line in development', async () => {
      const { controller } = world();
      void controller.setResponse(getCount, { count: { now: 1 } });
      await expectTold(
        controller,
        () => useCache(getCount) as { count: { now: number } },
        ({ count }) => (count.now = 2),
      );
    });

    /** In development the change throws. In production values are not frozen. */
    async function expectTold<Value>(
      controller: Controller,
      use: () => Value,
      change: (value: Value) => unknown,
    ): Promise<void> {
      let thrown: unknown;
      let isDone = false;
      doing(() => {
        const value = use();
        try {
          change(value);
        } catch (error) {
          thrown = error;
        }
        isDone = true;
      }, controller);
      await until(() => isDone);
      expect(thrown instanceof TypeError).toBe(isDevelopment);
    }
  });

  test('the context and the provider have names for the developer tools', () => {
    expect(ControllerContext.displayName).toBe('Rejoin.Controller');
    expect(DataProvider.name).toBe('DataProvider');
  });
}
