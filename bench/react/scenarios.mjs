import { PEERS } from './columns.mjs';

/** The scenarios, in the order in which they run. The pages are in `pages/scenarios`. */
const scenario = (id, sizes, title, options = {}) => ({ id, sizes, title, except: [], ...options });

const NO_CIRCLES = PEERS.filter((name) => name !== 'data-client');

export const scenarios = [
  scenario('row-hook', [1_000, 10_000], 'one of the mounted rows changes; a hook per row'),
  scenario('row-list', [1_000, 10_000], 'one of the mounted rows changes; one list with memo rows'),
  scenario('mount', [10_000], 'a list that is in the store comes onto the screen', { isFloorExempt: true }),
  scenario('graph-rename', [1_000], 'a user of a circle (user → 20 posts → author) is renamed; posts shown', {
    except: NO_CIRCLES,
  }),
  scenario('getlist', [100, 500], 'getlist: a list is fetched, stored and shown; empty store', { isFloorExempt: true }),
  scenario('first-load', [1, 100], 'first load: the answer for a screen that suspends comes 30 ms after its fallback', {
    most: 20,
  }),
  scenario('update-entity', [1_000], 'update-entity: the title of one issue'),
  scenario('update-user', [1_000], 'update-user: one of 20 users, author of every 20th issue, is renamed'),
  scenario('list-detail-switch-10', [1_000], 'list-detail-switch-10: to an issue and back, ten times'),
  scenario('unshift-item', [1_000], 'unshift-item: a new issue at the head of the list'),
  scenario('delete-item', [1_000], 'delete-item: an issue is deleted'),
  scenario('move-item', [1_000], 'move-item: an issue goes from one shown list to the other'),
];

/** This scenario is an application, and not a cell: it runs once, for the given time. */
export const ticker = scenario('ticker', [5_000], 'tickers');
