import { pause } from './pause.ts';
import { type HtmlBatch, insertState } from './page-batch.ts';

type ReadChunk = ReadableStreamReadResult<Uint8Array>;

/** Returns a page stream in which each batch of HTML follows the state that it was made from. Calls `onEnd` once, also after an error. */
export function streamWithState(
  page: ReadableStream<Uint8Array>,
  state: () => string,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = page.getReader();
  let next: Promise<ReadChunk> | undefined;

  /** Collects one batch: a renderer writes it without a pause, in any number of chunks. */
  async function readBatch(): Promise<HtmlBatch> {
    const batch: HtmlBatch = [];
    for (;;) {
      next ??= reader.read();
      const read: ReadChunk | undefined = await (batch.length === 0 ? next : Promise.race([next, pause()]));
      if (read === undefined) return batch;
      next = undefined;
      if (read.done) {
        next = Promise.resolve(read);
        return batch;
      }
      batch.push(read.value);
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const batch = await readBatch();
        if (batch.length > 0) return controller.enqueue(insertState(batch, state()));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}
