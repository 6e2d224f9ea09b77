import { Suspense, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { Entity, getDefaultManagers, resource } from 'rejoin';
import { DataProvider, useController, useSuspense } from 'rejoin/react';
import { TabsManager } from 'rejoin/tabs';

class Item extends Entity {
  id = '';
  title = '';
  static override key = 'Item';
}
const items = resource({ path: '/tasks/:id', schema: Item, optimistic: true });

let resets = 0;
const listeners = new Set<() => void>();
const seen = (): void => {
  resets++;
  for (const listener of listeners) listener();
};
const watch = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const tabs = new TabsManager({
  name: 'page',
  endpoints: [items],
  onEvent: ({ type }) => void (type === 'reset' && seen()),
});

function List() {
  const list = useSuspense(items.getList);
  const controller = useController();
  const count = useSyncExternalStore(watch, () => resets);
  const logout = (): void => {
    void controller.resetEntireStore();
    seen();
  };
  return (
    <>
      <p>{list.map(({ title }) => title).join(', ')}.</p>
      <p>logouts seen: {count}</p>
      <button id="create" onClick={() => void controller.fetch(items.getList.push, { title: 'new' })}>
        Create
      </button>
      <button id="logout" onClick={logout}>
        Log out
      </button>
    </>
  );
}

createRoot(document.querySelector('main') as HTMLElement).render(
  <DataProvider managers={[tabs, ...getDefaultManagers()]}>
    <Suspense fallback="Loading">
      <List />
    </Suspense>
  </DataProvider>,
);
