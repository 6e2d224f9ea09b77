import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { Controller, Endpoint, getDefaultManagers } from 'rejoin';
import { Devtools, type DevtoolsOptions } from 'rejoin/devtools';
import { AsyncBoundary, DataProvider, useSuspense } from 'rejoin/react';
import { Post, User } from '../model.ts';
import { show, until } from '../react/harness.tsx';

const getPosts = new Endpoint(
  async () => [
    { id: '1', title: 'Joins', author: { id: '7', name: 'Ann' } },
    { id: '2', title: 'Tables', author: { id: '8', name: 'Bob' } },
  ],
  { name: 'getPosts', schema: [Post] },
);
export const getUsers = new Endpoint(async () => [{ id: '8', name: 'Bob' }], { name: 'getUsers', schema: [User] });
export const rename = new Endpoint(async ({ id }: { id: string }, { name }: { name: string }) => ({ id, name }), {
  name: 'rename',
  schema: User,
  sideEffect: true,
});
export const refused = new Endpoint(() => Promise.reject(new Error('not allowed')), {
  name: 'refused',
  sideEffect: true,
});

/** The actions of a user in the panel. */
export function tools(options?: DevtoolsOptions) {
  const controller = new Controller({ managers: getDefaultManagers({ devToolsManager: new Devtools(options) }) });
  onTestFinished(() => controller.dispose());
  const root = document.querySelector('rejoin-devtools')?.shadowRoot as ShadowRoot;
  const find = (selector: string, text: string): HTMLElement | undefined =>
    [...root.querySelectorAll<HTMLElement>(selector)].find((one) => one.textContent.includes(text));
  const press = async (selector: string, text: string): Promise<void> => {
    await until(
      () => find(selector, text) !== undefined,
      () => `${selector} ${text} in ${root.textContent.slice(-2000)}`,
    );
    find(selector, text)?.click();
  };
  const detail = (): string => root.querySelector('.detail')?.textContent ?? '';
  return { controller, root, press, detail };
}

export async function page(options?: DevtoolsOptions) {
  const panel = tools(options);
  function Names(): ReactNode {
    return [
      ...useSuspense(getPosts).map(({ author }) => author.name),
      ...useSuspense(getUsers).map(({ name }) => name),
    ].join();
  }
  const { text } = show(
    <DataProvider controller={panel.controller}>
      <AsyncBoundary fallback="loading">
        <Names />
      </AsyncBoundary>
    </DataProvider>,
  );
  await until(() => text() === 'Ann,Bob,Bob');
  await panel.press('.open', 'Rejoin');
  return { ...panel, text };
}
