// `bench:peer` is the file of the library that this page is of.
import { peer } from 'bench:peer';
import { firstLoad } from './scenarios/first-load.jsx';
import { rename } from './scenarios/graph.jsx';
import { rows } from './scenarios/rows.jsx';
import { ticker } from './scenarios/ticker.jsx';
import { tracker } from './scenarios/tracker.jsx';

const scenarios = { ...rows, 'graph-rename': rename, ...tracker, 'first-load': firstLoad, ticker };

/** Runs one cell. Gives its figures by variant, or throws what went wrong. Calls `began` of the page once it measures. */
globalThis.run = ({ scenario, ...given }) => scenarios[scenario]({ peer, ...given });
