import { useState, useSyncExternalStore } from 'react';
import type { Simulation } from '../../net/simulation.ts';

const SLOW = 3000;

/** A hint: what to try first, with a button for the required network. */
export function Trick({ simulation }: { readonly simulation: Simulation }) {
  const [isClosed, setClosed] = useState(false);
  const { latency } = useSyncExternalStore(simulation.subscribe, simulation.current);
  if (isClosed) return null;
  const isSlow = latency === SLOW;
  return (
    <div className="trick">
      <p>
        <strong>Try this:</strong> {isSlow ? 'the network is slow now. A' : 'make the network slow, a'}dd an issue, and
        change its state while it is still being saved. The change waits for the id of the new issue, and nothing is
        lost.
      </p>
      <span className="row one-line">
        <button
          type="button"
          className="button tiny"
          onClick={() => void simulation.change({ latency: isSlow ? 0 : SLOW, failRate: 0, offline: false })}
        >
          {isSlow ? 'Good network' : 'Slow network'}
        </button>
        <button type="button" className="button quiet tiny" aria-label="Close the hint" onClick={() => setClosed(true)}>
          ✕
        </button>
      </span>
    </div>
  );
}
