import { type HtmlBatch, insertState } from './page-batch.ts';

/** The result of `renderToPipeableStream`. */
export interface PipeableStream {
  pipe(destination: never): unknown;
}

/** The members that are used of a response of `node:http` or another stream of Node. */
export interface Destination {
  readonly headersSent?: boolean;
  readonly destroyed?: boolean;
  readonly writableNeedDrain?: boolean;
  hasHeader?(name: string): boolean;
  setHeader?(name: string, value: string): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(error?: Error): unknown;
  on(event: string, listener: () => void): unknown;
  flush?(): void;
}

/** Returns a stream to pipe a renderer into, in place of `to`. Renderers call `flush` after each batch of HTML. */
export function destinationWithState(to: Destination, state: () => string): never {
  let batch: HtmlBatch = [];
  const send = (): void => {
    if (batch.length === 0) return;
    to.write(insertState(batch, state()));
    batch = [];
  };
  const destination = {
    write(chunk: string | Uint8Array): boolean {
      batch.push(chunk);
      return to.writableNeedDrain !== true;
    },
    flush(): void {
      send();
      to.flush?.();
    },
    end(): void {
      send();
      to.end();
    },
    destroy: (error?: Error) => to.destroy(error),
    on(event: string, listener: () => void) {
      to.on(event, listener);
      return destination;
    },
  };
  return destination as never;
}
