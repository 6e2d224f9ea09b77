import { settled } from './transport.ts';

/** The parts of a random history of one screen and one server. */
interface History {
  /** The user, the network or the server does something. */
  readonly step: () => void;
  /** Lets one request arrive at the server, and one answer at the screen. */
  readonly deliver: () => void;
  /** Checks the screen. */
  readonly look: () => void;
  /** Whether no request and no answer is on its way. */
  readonly isOver: () => boolean;
}

/** Takes some steps, then delivers everything that is on its way. The screen is checked after each step. */
export async function runHistory(steps: number, { step, deliver, look, isOver }: History): Promise<void> {
  for (let at = 0; at < steps || !isOver(); at++) {
    if (at < steps) step();
    else deliver();
    // oxlint-disable no-await-in-loop -- one step after the other
    await settled();
    await settled();
    // oxlint-enable no-await-in-loop
    look();
  }
}
