import { configureStore, createEntityAdapter, createSlice } from '@reduxjs/toolkit';

function storeOf(rows) {
  const adapter = createEntityAdapter();
  const slice = createSlice({
    name: 'rows',
    initialState: adapter.setAll(adapter.getInitialState(), rows),
    reducers: { updated: adapter.updateOne, added: adapter.addOne, removed: adapter.removeOne },
  });
  const store = configureStore({
    reducer: { rows: slice.reducer },
    middleware: () => [],
    enhancers: () => [],
    devTools: false,
  });
  return { store, actions: slice.actions, select: adapter.getSelectors((state) => state.rows) };
}

export const peer = {
  /** Each subscriber selects again after each action, as `useSelector` does. */
  readers(rows) {
    const { store, actions, select } = storeOf(rows);
    const shown = rows.map((row, index) => {
      store.subscribe(() => {
        const next = select.selectById(store.getState(), row.id);
        if (next !== shown[index]) shown[index] = next;
      });
      return select.selectById(store.getState(), row.id);
    });
    return {
      write: (id, title) => void store.dispatch(actions.updated({ id, changes: { title } })),
      seen: (index) => shown[index].title,
    };
  },

  list(rows) {
    const { store, actions, select } = storeOf(rows);
    return {
      push: (row) => void store.dispatch(actions.added(row)),
      remove: (id) => void store.dispatch(actions.removed(id)),
      read: () => select.selectAll(store.getState()),
    };
  },
};
