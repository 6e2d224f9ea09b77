/** The page of a world, as a user reads and uses it. */
import { Controller } from 'rejoin';
import type { Shown } from '../harness.tsx';
import type { Random } from '../random.ts';
import { type Network, turns } from './network.ts';

/** What a fresh page shows. */
export async function freshText(network: Network, showFresh: (controller: Controller) => Shown): Promise<string> {
  network.isFresh = true;
  const controller = new Controller({ now: network.now });
  const shown = showFresh(controller);
  // oxlint-disable-next-line no-await-in-loop -- until nothing changes
  for (
    let quiet = 0, frames = 0, all = 0;
    all < 2000 && (quiet < 12 || shown.text().includes('waiting'));
    quiet++, all++
  ) {
    await turns(1);
    if (shown.frames.length > frames) quiet = 0;
    frames = shown.frames.length;
  }
  const text = shown.text();
  shown.unmount();
  controller.dispose();
  await turns(2);
  network.isFresh = false;
  return text;
}

function isReachable(button: HTMLButtonElement): boolean {
  return !button.disabled && button.closest('[style*="display: none"]') === null;
}

/** The user clicks one of the buttons. Each kind of button is equally likely. Returns its name. */
export function clickAny({ container }: Pick<Shown, 'container'>, { pick }: Random): string | undefined {
  const nameOf = (button: HTMLButtonElement): string => button.getAttribute('aria-label') ?? '';
  const kindOf = (button: HTMLButtonElement): string => nameOf(button).split(' ')[0] ?? '';
  const buttons = [...container.querySelectorAll('button')].filter(isReachable);
  if (buttons.length === 0) return undefined;
  const kind = pick([...new Set(buttons.map(kindOf))]);
  const button = pick(buttons.filter((one) => kindOf(one) === kind));
  button.click();
  return nameOf(button);
}
