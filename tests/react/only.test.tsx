import { memo, type ReactNode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Controller } from 'rejoin';
import { Post } from '../model.ts';

/** A page on which nothing has been rendered yet: the modules are loaded again. */
async function page() {
  vi.resetModules();
  const { createRoot } = await import('react-dom/client');
  const { flushSync } = await import('react-dom');
  const { ControllerContext, DataProvider, useQuery } = await import('rejoin/react');
  const Title = memo(function Title({ id = '1' }: { readonly id?: string }): ReactNode {
    return useQuery(Post, { id })?.title ?? 'none';
  });
  const roots = new Set<() => void>();
  const root = () => {
    const element = document.body.appendChild(document.createElement('main'));
    const react = createRoot(element);
    const unmount = (): void => flushSync(() => react.unmount());
    roots.add(unmount);
    return {
      show: (what: ReactNode): void => flushSync(() => react.render(what)),
      text: (): string | null => element.textContent,
      unmount,
    };
  };
  return { ControllerContext, DataProvider, Title, flushSync, root };
}

function controllerWith(title: string): Controller {
  const controller = new Controller();
  void controller.set(Post, { id: '1' }, { id: '1', title });
  return controller;
}

describe('a page with one provider', () => {
  let given: Awaited<ReturnType<typeof page>>;
  beforeEach(async () => {
    given = await page();
  });

  test('shows the data of its store, and each change of it', () => {
    const { DataProvider, Title, flushSync, root } = given;
    const controller = controllerWith('one');
    const main = root();
    main.show(
      <DataProvider controller={controller}>
        <Title />
      </DataProvider>,
    );
    expect(main.text()).toBe('one');
    flushSync(() => void controller.set(Post, { id: '1' }, { id: '1', title: 'two' }));
    expect(main.text()).toBe('two');
    main.unmount();
  });

  test('shows another store in the same frame in which its provider gets another controller', () => {
    const { DataProvider, Title, flushSync, root } = given;
    const [first, second] = [controllerWith('first'), controllerWith('second')];
    const main = root();
    const title = <Title />;
    for (const controller of [first, second]) main.show(<DataProvider controller={controller}>{title}</DataProvider>);
    expect(main.text()).toBe('second');
    flushSync(() => void second.set(Post, { id: '1' }, { id: '1', title: 'changed' }));
    expect(main.text()).toBe('changed');
    flushSync(() => void first.set(Post, { id: '1' }, { id: '1', title: 'forgotten' }));
    expect(main.text()).toBe('changed');
    main.show(<DataProvider controller={first}>{title}</DataProvider>);
    expect(main.text()).toBe('forgotten');
    main.unmount();
  });

  test('shows the data of an inner provider below that provider', () => {
    const { DataProvider, Title, flushSync, root } = given;
    const [outer, inner] = [controllerWith('outer'), controllerWith('inner')];
    const main = root();
    const title = <Title />;
    main.show(<DataProvider controller={outer}>{title}</DataProvider>);
    main.show(
      <DataProvider controller={outer}>
        {title}
        <DataProvider controller={inner}>
          <Title />
        </DataProvider>
        <Title />
      </DataProvider>,
    );
    expect(main.text()).toBe('outerinnerouter');
    flushSync(() => void inner.set(Post, { id: '1' }, { id: '1', title: 'own' }));
    expect(main.text()).toBe('outerownouter');
    flushSync(() => void outer.set(Post, { id: '1' }, { id: '1', title: 'out' }));
    expect(main.text()).toBe('outownout');
    main.unmount();
  });

  test('shows the data of another controller below a ControllerContext', () => {
    const { ControllerContext, DataProvider, Title, flushSync, root } = given;
    const [outer, inner] = [controllerWith('outer'), controllerWith('inner')];
    const main = root();
    main.show(
      <DataProvider controller={outer}>
        <Title />
        <ControllerContext.Provider value={inner}>
          <Title />
        </ControllerContext.Provider>
        <Title />
      </DataProvider>,
    );
    expect(main.text()).toBe('outerinnerouter');
    flushSync(() => void inner.set(Post, { id: '1' }, { id: '1', title: 'own' }));
    expect(main.text()).toBe('outerownouter');
    main.unmount();
  });

  test('shows in each root the data of the provider in that root', () => {
    const { DataProvider, Title, root } = given;
    const roots = ['first', 'second'].map((name) => {
      const made = root();
      made.show(
        <DataProvider controller={controllerWith(name)}>
          <Title />
        </DataProvider>,
      );
      return made;
    });
    expect(roots.map(({ text }) => text())).toEqual(['first', 'second']);
    for (const { unmount } of roots) unmount();
  });

  test('has no store after its provider is unmounted', () => {
    const { DataProvider, Title, root } = given;
    const main = root();
    main.show(
      <DataProvider controller={controllerWith('one')}>
        <Title />
      </DataProvider>,
    );
    main.unmount();
    const alone = root();
    let thrown: unknown;
    try {
      alone.show(<Title />);
    } catch (error) {
      thrown = error;
    }
    expect(alone.text()).toBe('');
    expect(thrown === undefined || (thrown as { code?: unknown }).code === 'provider-missing').toBe(true);
  });
});
