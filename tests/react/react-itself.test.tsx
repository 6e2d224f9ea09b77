import { type ReactNode, startTransition, Suspense, useState } from 'react';
import { expect, inject, test } from 'vitest';
import { Catch, click, rest, show, until } from './harness.tsx';

/** A behaviour of React on which the checks of the random histories depend. */
test('a render that throws is tried again together with all pending transitions, and shows what those wait for', async () => {
  let isThere = false;
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => (open = resolve)).then(() => void (isThere = true));
  const actions: { go(isAway: boolean): void; change(count: number): void } = { go: () => {}, change: () => {} };
  function Away({ isAway }: { isAway: boolean }): ReactNode {
    // oxlint-disable-next-line typescript/only-throw-error -- a promise is what React waits for
    if (isAway && !isThere) throw promise;
    return isAway ? ' away' : ' here';
  }
  function Failing({ count }: { count: number }): ReactNode {
    if (count > 1) throw new Error('no');
    return '';
  }
  function Page(): ReactNode {
    const [isAway, go] = useState(false);
    const [count, change] = useState(0);
    Object.assign(actions, { go, change });
    return (
      <Suspense fallback=" loading">
        <Away isAway={isAway} />
        {` ${count} `}
        <Catch>
          <Failing count={count} />
        </Catch>
      </Suspense>
    );
  }
  const { text } = show(<Page />, { isStrict: false });
  await until(() => text() === ' here 0 ');
  startTransition(() => actions.go(true));
  await rest();
  click(() => actions.change(1));
  expect(text()).toBe(' here 1 ');
  // Without the error it would be ' here 2 '.
  click(() => actions.change(2));
  expect(text()).toBe(' loading');
  open();
  await until(() => text() === ' away 2 failed: no');
});

/** The reason for `RetriedFallback`. */
test.skipIf(inject('build').react !== '18')(
  'React 18 holds back awaited content in which another fallback is shown, unless the state of the boundary changes',
  async () => {
    const ready = new Set<string>();
    const opens = new Map<string, () => void>();
    const never = new Promise<void>(() => {});
    const promises = new Map(
      ['a', 'b'].map((name) => [name, new Promise<void>((open) => opens.set(name, () => open()))] as const),
    );
    function Text({ name }: { name: string }): ReactNode {
      // oxlint-disable-next-line typescript/only-throw-error -- a promise is what React waits for
      if (!ready.has(name)) throw promises.get(name) ?? never;
      return name;
    }
    let change = (): void => {};
    function Boundary({ name, isChanged }: { name: string; isChanged: boolean }): ReactNode {
      const [, set] = useState(0);
      if (isChanged) change = () => set((count) => count + 1);
      return (
        <Suspense fallback="…">
          <Text name={name} />
          <Suspense fallback="·">
            <Text name="never" />
          </Suspense>
        </Suspense>
      );
    }
    const { text } = show(
      <>
        <Boundary name="a" isChanged={false} />
        <Boundary name="b" isChanged />
      </>,
      { isStrict: false },
    );
    await until(() => text() === '……');
    for (const name of ['a', 'b']) {
      ready.add(name);
      opens.get(name)?.();
    }
    await rest(5);
    const before = text();
    change();
    await until(() => text().endsWith('b·'));
    expect([before, text()]).toEqual(['……', '…b·']);
  },
);
