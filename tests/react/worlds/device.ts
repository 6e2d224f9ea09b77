/** A process of an application on a device. It can be killed at any moment: then it writes, receives and runs nothing more. */
import type { Platform } from 'rejoin';
import type { OpenStorage, TextStorage } from 'rejoin/persist';
import type { Network } from './network.ts';

const never = new Promise<never>(() => {});

export class Process {
  isDead = false;
  readonly platform: Platform;
  readonly storage: TextStorage;

  constructor({ platform, soon }: Network, disk: TextStorage) {
    this.platform = {
      ...platform,
      fetch: (url, init) => this.#run(() => platform.fetch(url, init)),
      setTimeout: (run, delay) => platform.setTimeout(() => this.isDead || run(), delay),
    };
    let last: Promise<unknown> = Promise.resolve();
    // Operations take time, and are carried out in their order.
    const inOrder = <Value>(run: () => Promise<Value>): Promise<Value> => {
      const done = last.then(() => this.#run(soon)).then(() => this.#run(run));
      last = done.catch(() => undefined);
      return last.then(() => this.#run(soon)).then(() => done);
    };
    this.storage = {
      open: async (name): Promise<OpenStorage> => {
        const opened = await inOrder(() => disk.open(name));
        return {
          read: () => inOrder(() => opened.read()),
          write: (changes) => inOrder(() => opened.write(changes)),
          clear: () => inOrder(() => opened.clear()),
          close: () => inOrder(() => opened.close()),
        };
      },
    };
  }

  async #run<Value>(run: () => Promise<Value>): Promise<Value> {
    const value = await (this.isDead ? never : run());
    return this.isDead ? never : value;
  }
}
