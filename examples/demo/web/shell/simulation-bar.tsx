import { useSyncExternalStore } from 'react';
import type { Simulation } from '../net/simulation.ts';

const LATENCIES = [
  { value: '0', text: 'at once' },
  { value: '300', text: '0.3 s late' },
  { value: '1000', text: '1 s late' },
  { value: '3000', text: '3 s late' },
  { value: '2000,100', text: '2 s, then 0.1 s' },
];
const RATES = [
  { value: '0', text: 'nothing' },
  { value: '0.3', text: 'some changes' },
  { value: '1', text: 'every change' },
];

/** What the network does to this tab: how slow it is, how often it refuses a change, whether it is there at all. */
export function SimulationBar({ simulation }: { readonly simulation: Simulation }) {
  const { latency, failRate, offline } = useSyncExternalStore(simulation.subscribe, simulation.current);
  const isOdd = failRate > 0 || offline || latency !== 0;
  return (
    <form
      className={`topbar ${isOdd ? 'odd' : ''}`}
      aria-label="The network of this tab"
      onSubmit={(event) => event.preventDefault()}
    >
      <strong>Network</strong>
      <Select
        label="answers"
        options={LATENCIES}
        chosen={String(latency)}
        onChoose={(text) => {
          const [first = 0, ...rest] = text.split(',').map(Number);
          void simulation.change({ latency: rest.length === 0 ? first : [first, ...rest] });
        }}
      />
      <Select
        label="refuses"
        options={RATES}
        chosen={String(failRate)}
        onChoose={(text) => void simulation.change({ failRate: Number(text) })}
      />
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

interface SelectProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

function Select({ label, options, chosen, onChoose }: SelectProps) {
  return (
    <label>
      {label}
      <select className="field" value={chosen} onChange={(event) => onChoose(event.target.value)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
