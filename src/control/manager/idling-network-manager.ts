import { NetworkManager } from '../controller/network-manager.ts';

/** The longest wait of a read, in milliseconds. */
const MAX_WAIT_MS = 500;

type OnIdle = (run: () => void, options: { readonly timeout: number }) => unknown;

/** A `NetworkManager` that sends reads when the page is idle, but after half a second at the latest. It sends mutations at once. */
export class IdlingNetworkManager extends NetworkManager {
  protected override beforeRead(): Promise<void> | undefined {
    const { requestIdleCallback: onIdle } = globalThis as { readonly requestIdleCallback?: OnIdle };
    return onIdle && new Promise((resolve) => onIdle(() => resolve(), { timeout: MAX_WAIT_MS }));
  }
}
