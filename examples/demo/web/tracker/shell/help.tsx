import { useRef, useState } from 'react';
import { open } from '../../shell/router.ts';
import { screens } from './screens.ts';
import { shortcuts, useShortcuts } from './shortcuts.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['c', 'New issue (in the list)'],
  ['j k', 'Next and previous issue (in the list)'],
  ['Enter', 'Open the issue'],
  ['/', 'Search'],
  ['x', 'Compare with TanStack Query'],
  ...screens.map(({ key, name }) => [`g ${key}`, name] as const),
  ['?', 'This list'],
];
const GO: Readonly<Record<string, () => void>> = Object.fromEntries(
  screens.map(({ key, path }) => [`g ${key}`, () => open(path)]),
);

/** The keyboard shortcuts: a button, a dialog, and the keys that go from screen to screen. */
export function Help({ onCompare }: { readonly onCompare: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(shortcuts.isOn);
  const show = (): void => dialog.current?.showModal();
  useShortcuts({ ...GO, '?': show, '/': () => open('/issues/search'), x: onCompare });
  return (
    <>
      <button
        type="button"
        className="button quiet icon help"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts: ?"
        onClick={show}
      >
        ?
      </button>
      <dialog ref={dialog} className="card" aria-labelledby="keys">
        <h2 id="keys">Keyboard shortcuts</h2>
        <dl className="facts">
          {KEYS.map(([keys, what]) => (
            <div key={keys} className="key">
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label className="row one-line">
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => {
              shortcuts.turn(event.target.checked);
              setOn(event.target.checked);
            }}
          />
          Single keys are shortcuts
        </label>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}
