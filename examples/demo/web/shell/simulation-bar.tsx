import { useSyncExternalStore } from 'react';
import type { Simulation } from '../net/simulation.ts';

const LATENCIES = [0, 300, 1000, 3000];
const RATES = [0, 0.3, 1];

/** What the network does to this tab: how slow it is, how often it refuses a change, whether it is there at all. */
export function SimulationBar({ simulation }: { readonly simulation: Simulation }) {
  const { latency, failRate, offline } = useSyncExternalStore(simulation.subscribe, simulation.current);
  return (
    <form className="topbar" aria-label="The network of this tab" onSubmit={(event) => event.preventDefault()}>
      <strong>Network</strong>
      <label>
        answers after
        <select
          className="field"
          value={latency}
          onChange={(event) => void simulation.change({ latency: Number(event.target.value) })}
        >
          {LATENCIES.map((milliseconds) => (
            <option key={milliseconds} value={milliseconds}>
              {milliseconds === 0 ? 'no time' : `${milliseconds / 1000} s`}
            </option>
          ))}
        </select>
      </label>
      <label>
        refuses
        <select
          className="field"
          value={failRate}
          onChange={(event) => void simulation.change({ failRate: Number(event.target.value) })}
        >
          {RATES.map((rate) => (
            <option key={rate} value={rate}>
              {rate === 0 ? 'no change' : rate === 1 ? 'every change' : `${rate * 100} % of changes`}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={offline}
          onChange={(event) => void simulation.change({ offline: event.target.checked })}
        />
        offline
      </label>
    </form>
  );
}
