import { NetworkManager } from '../controller/network-manager.ts';

/** How many milliseconds a read waits at most. */
const LONGEST_WAIT = 500;

type OnIdle = (run: () => void, options: { readonly timeout: number }) => unknown;

/** A `NetworkManager` that sends reads when the page is idle, half a second later at most. Mutations are sent at once. */
export class IdlingNetworkManager extends NetworkManager {
  protected override beforeRead(): Promise<void> | undefined {
    const { requestIdleCallback: onIdle } = globalThis as { readonly requestIdleCallback?: OnIdle };
    return onIdle && new Promise((resolve) => onIdle(() => resolve(), { timeout: LONGEST_WAIT }));
  }
}
