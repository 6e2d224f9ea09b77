import { useEffect, useEffectEvent } from 'react';

type Keys = Readonly<Record<string, () => void>>;

const KEY = 'shortcuts';

/** Whether single keys are shortcuts. Users who dictate, or press keys by mistake, can switch them off. */
export const shortcuts = {
  isOn: (): boolean => localStorage.getItem(KEY) !== 'off',
  turn: (isOn: boolean): void => localStorage.setItem(KEY, isOn ? 'on' : 'off'),
};

/** Adds shortcuts while a component is mounted: single keys, and `g` with a second key, as in `g b`. They do nothing while text is typed. */
export function useShortcuts(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!shortcuts.isOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const pressed = isAfterG(event) ? `g ${event.key}` : event.key;
    const act = keys[pressed];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog, rejoin-devtools') !== null;
}

const PAUSE = 1000;
let lastKey: { readonly key: string; readonly at: number; readonly event: KeyboardEvent } | undefined;
let before: typeof lastKey;

/** Several components get the same key event. */
function isAfterG(event: KeyboardEvent): boolean {
  if (lastKey?.event !== event) {
    before = lastKey;
    lastKey = { key: event.key, at: event.timeStamp, event };
  }
  return before?.key === 'g' && event.timeStamp - before.at < PAUSE;
}
