import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { recommended } from 'rejoin';
import { DataProvider } from 'rejoin/react';
import { App } from './app.tsx';

/** An API with three todos that runs in the page. The test reads the number of its requests. */
const TODOS = ['one', 'two', 'three'].map((title, at) => ({ id: String(at + 1), title }));
let asked = 0;
globalThis.fetch = () => {
  Object.assign(globalThis, { asked: ++asked });
  return Promise.resolve(Response.json(TODOS));
};

const defaults = recommended();
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <DataProvider {...defaults}>
      <App />
    </DataProvider>
  </StrictMode>,
);
