import { useState, useSyncExternalStore } from 'react';
import { Choice } from '../../shell/choice.tsx';
import { CodePanel } from '../../shell/code-panel.tsx';
import { counters, type Side, SIDE_NAMES, SIDES } from './counters.ts';
import type { Screen } from './screens.ts';

interface Props {
  readonly screen: Screen;
  readonly side: Side;
  readonly onRun: (side: Side) => void;
  readonly onStartOver: () => void;
}

/** The counters of both versions of a screen, and the choice of the version that runs. */
export function CompareStrip({ screen, side, onRun, onStartOver }: Props) {
  return (
    <section className="compare" aria-label="Comparison with TanStack Query">
      <div className="row apart">
        <Choice
          label="Which version runs"
          options={SIDES.map((value) => ({ value, text: `Run on ${SIDE_NAMES[value]}` }))}
          chosen={side}
          onChoose={onRun}
        />
        <button type="button" className="button tiny" onClick={onStartOver}>
          Start over
        </button>
      </div>
      <CountsTable screen={screen} side={side} />
      <p className="soft small">
        Try: {screen.compare} “Start over” empties both caches and sets the counters to zero. Both versions draw the
        screen with the same code, which is not counted.
      </p>
    </section>
  );
}

function CountsTable({ screen, side }: Pick<Props, 'screen' | 'side'>) {
  const counts = useSyncExternalStore(counters.subscribe, counters.current);
  return (
    <table className="plain counts-table">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Version</span>
          </th>
          <th scope="col" className="right">
            Lines<span className="wide"> of this screen</span>
          </th>
          <th scope="col" className="right">
            Shared<span className="wide"> lines</span>
          </th>
          <th scope="col" className="right">
            Requests
          </th>
          <th scope="col" className="right">
            Renders
          </th>
        </tr>
      </thead>
      <tbody>
        {SIDES.map((one) => (
          <tr key={one} className={one === side ? 'running' : undefined}>
            <th scope="row">{SIDE_NAMES[one]}</th>
            <td className="right num">{screen.versions[one].ownLines}</td>
            <td className="right num">{screen.versions[one].sharedLines}</td>
            <td className="right num" data-count={`${one} requests`}>
              {counts[one].requests}
            </td>
            <td className="right num" data-count={`${one} renders`}>
              {counts[one].renders}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The source of both versions, side by side if there is room, otherwise one at a time. */
export function CompareCode({ screen }: { readonly screen: Screen }) {
  const [shown, show] = useState<Side>('rejoin');
  return (
    <section className="compare-code" aria-label="Code of both versions" data-shown={shown}>
      <div className="narrow-only">
        <Choice
          label="Library"
          options={SIDES.map((value) => ({ value, text: SIDE_NAMES[value] }))}
          chosen={shown}
          onChoose={show}
        />
      </div>
      {SIDES.map((one) => {
        const { own, shared, ownLines } = screen.versions[one];
        return (
          <div key={one} data-side={one}>
            <h2>
              {SIDE_NAMES[one]} <span className="soft small num">{ownLines} lines</span>
            </h2>
            <CodePanel files={[own, ...shared]} />
          </div>
        );
      })}
    </section>
  );
}
