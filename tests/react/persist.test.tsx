import { type ReactNode, Suspense } from 'react';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Controller, Endpoint, getDefaultManagers } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { DataProvider, useSuspense } from 'rejoin/react';
import { memoryStorage, PersistManager, type TextStorage } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { expectSoon, show, type Shown, until, world } from './harness.tsx';

type World = ReturnType<typeof world>;

/** A storage that has post 1 from an earlier visit. */
async function left({ getPost }: World): Promise<TextStorage> {
  const storage = memoryStorage();
  const persist = new PersistManager({ name: 'app', storage });
  const controller = new Controller({ managers: [persist] });
  await persist.restored;
  await controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'kept' });
  await controller.expireAll(getPost);
  await persist.flush();
  controller.dispose();
  return storage;
}

function page({ getPost }: World): ReactNode {
  function Title(): ReactNode {
    return useSuspense(getPost, { id: '1' }).title;
  }
  return (
    <Suspense fallback="loading">
      <Title />
    </Suspense>
  );
}

describe.each([
  ['of its own', false],
  ['that is given', true],
])('a provider with a controller %s', (_what, isGiven) => {
  function shown(here: World, storage: TextStorage): Shown {
    const managers = [new PersistManager({ name: 'app', storage }), ...getDefaultManagers()];
    const controller = isGiven ? new Controller({ managers }) : undefined;
    onTestFinished(() => controller?.dispose());
    return show(<DataProvider {...(controller ? { controller } : { managers })}>{page(here)}</DataProvider>);
  }

  test('shows the data of the disk first, without a fallback, and then the answer of the server', async () => {
    const here = world();
    const { frames, text, errors } = shown(here, await left(here));
    await until(() => text() === 'kept');
    await until(() => here.server.isWaiting('post 1'));
    here.server.answer('post 1', { id: '1', title: 'new' });
    await until(() => text() === 'new');
    expect(frames.filter((frame) => frame !== '')).toEqual(['kept', 'new']);
    expect(errors).toEqual([]);
  });

  test('shows the fallback and fetches from the server when the disk has no data', async () => {
    const here = world();
    const { text } = shown(here, memoryStorage());
    await until(() => text() === 'loading');
    await until(() => here.server.isWaiting('post 1'));
    here.server.answer('post 1', { id: '1', title: 'new' });
    await expectSoon(() => text() === 'new');
  });

  test('works without the disk when the disk cannot be opened', async () => {
    const here = world();
    const { text } = shown(here, { open: () => Promise.reject(new Error('no disk')) });
    await until(() => here.server.isWaiting('post 1'));
    here.server.answer('post 1', { id: '1', title: 'new' });
    await expectSoon(() => text() === 'new');
  });
});

test('a mutation works with a disk, an outbox and tabs where `navigator.locks` is null, as in this page', async () => {
  expect(Reflect.get(navigator, 'locks')).toBe(null);
  const save = new Endpoint(async () => 'saved', { name: 'save', sideEffect: true, offline: true });
  const events: string[] = [];
  const [storage, name] = [memoryStorage(), 'app'];
  const outbox = new OutboxManager({ name, storage, endpoints: [save] });
  const tabs = new TabsManager({ name, onEvent: ({ type }) => events.push(type) });
  const persist = new PersistManager({ name, storage });
  const controller = new Controller({ managers: [tabs, persist, outbox, ...getDefaultManagers()] });
  await controller.ready;
  expect(await controller.fetch(save)).toBe('saved');
  await persist.flush();
  expect(events).toEqual(['unsupported']);
  controller.dispose();
});
