import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { Controller, Endpoint } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage } from 'rejoin/persist';
import { DataProvider, useOutbox } from 'rejoin/react';
import { show, until } from './harness.tsx';

test('useOutbox shows the edits that the server has not answered, and each change of them', async () => {
  let answer: ((value: unknown) => void) | undefined;
  const save = new Endpoint((_args: { title: string }) => new Promise<unknown>((resolve) => (answer = resolve)), {
    name: 'save',
    sideEffect: true,
    offline: true,
  });
  const outbox = new OutboxManager({ name: 'app', endpoints: [save], storage: memoryStorage() });
  const controller = new Controller({ managers: [outbox] });
  function Waiting(): ReactNode {
    return useOutbox(outbox).map(({ endpoint, id, state }) => <i key={id}>{`${endpoint} ${state};`}</i>);
  }
  const { errors, text } = show(
    <DataProvider controller={controller}>
      <b>Edits:</b>
      <Waiting />
    </DataProvider>,
  );
  await until(() => text() === 'Edits:');
  const done = controller.fetch(save, { title: 'a' });
  // The edit is shown as being sent before its request is.
  await until(() => text() === 'Edits:save sending;' && answer !== undefined);
  answer?.({});
  await done;
  await until(() => text() === 'Edits:');
  expect(errors).toEqual([]);
  controller.dispose();
});
