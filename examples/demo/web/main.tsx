import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { getDefaultManagers } from 'rejoin';
import { Devtools } from 'rejoin/devtools';
import { DataProvider } from 'rejoin/react';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './styles.css';
import { RequestLog } from './net/request-log.ts';
import { Simulation } from './net/simulation.ts';
import { streams } from './pages/pushed/model.ts';
import { Frame } from './shell/frame.tsx';

const log = new RequestLog();
const simulation = new Simulation();
globalThis.fetch = log.wrap(simulation.wrap(fetch.bind(globalThis)));

const managers = [...streams, ...getDefaultManagers({ devToolsManager: new Devtools() })];

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <DataProvider managers={managers}>
      <Frame log={log} simulation={simulation} />
    </DataProvider>
  </StrictMode>,
);
