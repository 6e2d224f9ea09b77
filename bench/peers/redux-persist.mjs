import { configureStore, createEntityAdapter, createSlice } from '@reduxjs/toolkit';
import { persistReducer, persistStore } from 'redux-persist';

function start(storage) {
  const adapter = createEntityAdapter();
  const { actions, reducer } = createSlice({
    name: 'rows',
    initialState: adapter.getInitialState(),
    reducers: { set: adapter.setAll, updated: adapter.updateOne },
  });
  const root = persistReducer({ key: 'rows', storage }, reducer);
  const store = configureStore({ reducer: root, middleware: () => [], enhancers: () => [], devTools: false });
  return { actions, store, select: adapter.getSelectors() };
}

const isReady = (store) =>
  new Promise((resolve) => {
    const persistor = persistStore(store, {}, () => resolve(persistor));
  });

export const peer = {
  async saved(rows, disk) {
    const { actions, store } = start(disk);
    const persistor = await isReady(store);
    store.dispatch(actions.set(rows));
    await disk.next();
    await persistor.flush();
    return {
      async change(id, title) {
        const isWritten = disk.next();
        store.dispatch(actions.updated({ id, changes: { title } }));
        await isWritten;
      },
      end: () => persistor.pause(),
    };
  },

  async restored(disk) {
    const { select, store } = start(disk);
    const persistor = await isReady(store);
    persistor.pause();
    return { read: (id) => select.selectById(store.getState(), id)?.title };
  },
};
