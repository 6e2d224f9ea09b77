import { useSyncExternalStore } from 'react';
import type { Conditions, Simulation } from '../net/simulation.ts';

interface Network {
  readonly name: string;
  readonly conditions: Conditions;
}

const good: Conditions = { latency: 0, failRate: 0, offline: false };

/** All networks that a tab can have. */
const NETWORKS: readonly Network[] = [
  { name: 'good', conditions: good },
  { name: '0.3 s', conditions: { ...good, latency: 300 } },
  { name: 'slow: 1 s', conditions: { ...good, latency: 1000 } },
  { name: 'very slow: 3 s', conditions: { ...good, latency: 3000 } },
  { name: 'answers in any order', conditions: { ...good, latency: [2000, 100] } },
  { name: 'some changes fail', conditions: { ...good, latency: 300, failRate: 0.5 } },
  { name: 'every change fails', conditions: { ...good, latency: 300, failRate: 1 } },
  { name: 'offline', conditions: { ...good, offline: true } },
];

/** Chooses the simulated network of this tab: how slow it is, whether changes fail, and whether the tab is offline. */
export function NetworkControl({ simulation }: { readonly simulation: Simulation }) {
  const conditions = useSyncExternalStore(simulation.subscribe, simulation.current);
  const chosen = NETWORKS.findIndex(({ conditions: one }) => JSON.stringify(one) === JSON.stringify(conditions));
  return (
    <label className={chosen > 0 ? 'network odd' : 'network'}>
      <span className="label">Network</span>
      <select
        aria-label="Network"
        value={chosen}
        onChange={(event) => void simulation.change(NETWORKS[Number(event.target.value)]?.conditions ?? good)}
      >
        {NETWORKS.map(({ name }, at) => (
          <option key={name} value={at}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
