import * as React from 'react';
import { type ComponentType, memo, type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { Controller, Endpoint } from 'rejoin';
import { DataProvider, useController, useQuery, useSuspense } from 'rejoin/react';
import {
  Catch,
  click,
  expectSoon,
  inProvider,
  mountLate,
  Post,
  rest,
  show,
  Title,
  travelling,
  until,
  world,
} from './harness.tsx';

test('A provider that renders again during a pending transition does not render the readers that were mounted meanwhile', async () => {
  const here = world();
  const { controller, server } = here;
  void controller.set(Post, { id: '1' }, { id: '1', title: 'oldest' });
  let renders = 0;
  const Late = memo(function Late(): ReactNode {
    renders++;
    return ` ${useQuery(Post, { id: '1' })?.title}`;
  });
  const { actions, Page } = travelling(here, Late);
  const page = (): ReactNode => inProvider(controller, <Page />);
  const { frames, render } = show(page(), { isStrict: false });
  await until(() => frames.at(-1) === ' oldest first');
  await rest();
  void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
  await until(() => frames.at(-1) === ' old first');
  await mountLate(here, actions, 'new');
  expect(frames.at(-1)).toBe(' old first old');

  renders = 0;
  click(() => render(page()));
  await rest();
  expect(renders).toBe(0);

  server.answer('post 2', { id: '2', title: 'second' });
  await until(() => frames.at(-1) === ' new second new');
});

test('A provider inside another provider with the same controller shows the same version of a record', async () => {
  const here = world();
  const { controller, server } = here;
  void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
  const between = new Controller();
  onTestFinished(() => between.dispose());
  function Inner(): ReactNode {
    return (
      <DataProvider controller={between}>
        <DataProvider controller={controller}>
          <Title />
        </DataProvider>
      </DataProvider>
    );
  }
  const { actions, Page } = travelling(here, Inner);
  const { frames } = show(inProvider(controller, <Page />));
  await until(() => frames.at(-1) === ' old first');
  await mountLate(here, actions, 'new');
  expect(frames.at(-1)).toBe(' old first old');
  server.answer('post 2', { id: '2', title: 'second' });
  await until(() => frames.at(-1) === ' new second new');
  click(() => void controller.set(Post, { id: '1' }, { id: '1', title: 'newer' }));
  expect(frames.every((frame) => !frame.includes('old second'))).toBe(true);
  await until(() => frames.at(-1) === ' newer second newer');
  click(() => actions.more(false));
  await rest();
  click(() => void controller.set(Post, { id: '1' }, { id: '1', title: 'newest' }));
  await until(() => frames.at(-1) === ' newest second');
});

/** Providers of one controller: one shows post 1 late, one has a page whose transition waits for post 2, and one is mounted late. */
async function twoProviders() {
  const here = world();
  const { controller } = here;
  void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
  const { actions, Page } = travelling(here, () => null);
  const shown: Record<'other' | 'page', (isShown: boolean) => void> = { other: () => {}, page: () => {} };
  const Provided = ({ children }: { children: ReactNode }): ReactNode => (
    <DataProvider controller={controller}>
      <Suspense fallback=" loading">{children}</Suspense>
    </DataProvider>
  );
  function Both(): ReactNode {
    const [hasOther, setOther] = React.useState(false);
    const [hasPage, setPage] = React.useState(true);
    Object.assign(shown, { other: setOther, page: setPage });
    return (
      <>
        {hasPage && (
          <>
            <Provided>{hasOther ? <Title /> : ' none'}</Provided>
            <Provided>
              <Page />
            </Provided>
          </>
        )}
        {hasOther && (
          <Provided>
            <Title />
          </Provided>
        )}
      </>
    );
  }
  const outer = new Controller();
  onTestFinished(() => outer.dispose());
  const { frames } = show(
    <DataProvider controller={outer}>
      <Both />
    </DataProvider>,
  );
  await until(() => frames.at(-1)?.endsWith(' old first') === true);
  await mountLate(here, actions, 'new');
  click(() => shown.other(true));
  await rest();
  return { ...here, frames, shown };
}

test('Providers of one controller show the same version of a record, also those that did not show it before, or were mounted later', async () => {
  const { frames, server } = await twoProviders();
  expect(frames.at(-1)).toBe(' old old first old');
  server.answer('post 2', { id: '2', title: 'second' });
  await until(() => frames.at(-1) === ' new new second new');
  expect(frames.slice(-2)).toEqual([' old old first old', ' new new second new']);
});

test('A provider that was mounted during a pending transition shows the new version when the providers from before it are removed', async () => {
  const { frames, shown } = await twoProviders();
  click(() => shown.page(false));
  await until(() => frames.at(-1) === ' new');
  expect(frames.at(-1)).toBe(' new');
});

test('An inner provider can change to the controller of the outer provider, and back to its own', async () => {
  const { controller } = world();
  const other = new Controller();
  onTestFinished(() => other.dispose());
  void controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
  void other.set(Post, { id: '1' }, { id: '1', title: 'other' });
  const Inner = memo(Title);
  const page = (inner: Controller): ReactNode => (
    <DataProvider controller={controller}>
      <Title />
      <DataProvider controller={inner}>
        <Inner />
      </DataProvider>
    </DataProvider>
  );
  const { frames, render } = show(page(other));
  await until(() => frames.at(-1) === ' one other');
  for (let turns = 1; turns <= 2; turns++) {
    render(page(controller));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await until(() => /^ (one\d*) \1$/.test(frames.at(-1) ?? ''));
    click(() => void controller.set(Post, { id: '1' }, { id: '1', title: `one${turns}` }));
    // oxlint-disable-next-line no-await-in-loop
    await until(() => frames.at(-1) === ` one${turns} one${turns}`);
    render(page(other));
    // oxlint-disable-next-line no-await-in-loop
    await until(() => frames.at(-1)?.startsWith(` one${turns} other`) === true);
    click(() => void other.set(Post, { id: '1' }, { id: '1', title: `other${turns}` }));
    // oxlint-disable-next-line no-await-in-loop
    await expectSoon(() => frames.at(-1) === ` one${turns} other${turns}`);
  }
});

test('A page that React cannot commit yet does not send its requests again with each answer', async () => {
  let asked = 0;
  const get = new Endpoint(async () => ++asked, { name: 'get' });
  const gate = { isOpen: false, open: () => {} };
  const opened = new Promise<void>((resolve) => void (gate.open = resolve));
  function Reader(): ReactNode {
    return `answer ${useSuspense(get) > 0}`;
  }
  // It suspends outside of every Suspense boundary, so nothing of the page is committed.
  function Gate(): ReactNode {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- a promise is what React waits for
    if (!gate.isOpen) throw opened;
    return null;
  }
  const container = document.createElement('div');
  const root = createRoot(container);
  onTestFinished(() => root.unmount());
  root.render(
    <>
      <DataProvider>
        <Suspense fallback="loading">
          <Reader />
        </Suspense>
      </DataProvider>
      <Gate />
    </>,
  );
  await until(() => asked > 0);
  await rest();
  const before = asked;
  await rest();
  expect(asked).toBe(before);
  expect(container.textContent).toBe('');

  gate.isOpen = true;
  gate.open();
  await until(() => container.textContent === 'answer true');
  expect(asked).toBe(before + 1);
});

test('A provider creates a controller of the class in its prop `Controller`', async () => {
  class Counting extends Controller {
    requests = 0;
    ask(get: () => Promise<unknown>): Promise<unknown> {
      this.requests++;
      return this.fetch(new Endpoint(get, { name: 'counted' }));
    }
  }
  let counting: Counting | undefined;
  function Reader(): ReactNode {
    counting = useController() as Counting;
    return 'read';
  }
  const { frames } = show(
    <DataProvider Controller={Counting} devButton={null}>
      <Reader />
    </DataProvider>,
  );
  await until(() => frames.at(-1) === 'read');
  expect(await counting?.ask(async () => 'answer')).toBe('answer');
  expect(counting?.requests).toBe(1);
});

test.skipIf(inject('build').react === '18')(
  'A provider in a hidden Activity shows what its components have asked for meanwhile, when it is visible again',
  async () => {
    const { getPost, server } = world();
    server.respond = (name) => ({ id: name.slice(5), title: name });
    // React 18 does not have it.
    const { Activity } = React as unknown as { Activity: ComponentType<{ mode: string; children: ReactNode }> };
    let go: ((id: string) => void) | undefined;
    function Reader(): ReactNode {
      const [id, setId] = React.useState('1');
      go = setId;
      return useSuspense(getPost, { id }).title;
    }
    const page = (mode: string): ReactNode => (
      <Activity mode={mode}>
        <div>
          <DataProvider>
            <Catch>
              <Suspense fallback="loading">
                <Reader />
              </Suspense>
            </Catch>
          </DataProvider>
        </div>
      </Activity>
    );
    const { render, text } = show(page('visible'));
    await until(() => text() === 'post 1');
    render(page('hidden'));
    await until(() => text() === '');
    await rest();
    go?.('2');
    await rest();
    render(page('visible'));
    await expectSoon(() => text() === 'post 2');
  },
);
