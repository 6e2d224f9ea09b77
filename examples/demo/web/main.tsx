import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { recommended } from 'rejoin';
import { Devtools } from 'rejoin/devtools';
import { DataProvider } from 'rejoin/react';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './styles.css';
import { Simulation } from './net/simulation.ts';
import { streams } from './pages/pushed/model.ts';
import { Demo } from './shell/demo.tsx';
import { changes } from './tracker/screens/rejoin-model.ts';
import { counters } from './tracker/shell/counters.ts';

const simulation = new Simulation();
globalThis.fetch = counters.wrap(simulation.wrap(fetch.bind(globalThis)));

// Requests are not retried, so that a visitor who takes the tab offline sees the error at once.
const { managers, gcPolicy } = recommended({ retry: false, devToolsManager: new Devtools() });

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <DataProvider managers={[...streams, changes, ...managers]} gcPolicy={gcPolicy}>
      <Demo simulation={simulation} />
    </DataProvider>
  </StrictMode>,
);
