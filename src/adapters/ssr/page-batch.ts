const encoder = new TextEncoder();
const DOCTYPE: Uint8Array = encoder.encode('<!DOCTYPE html>');

/** HTML that a renderer writes at once. Elements can be inserted between two batches. */
export type HtmlBatch = (string | Uint8Array)[];

/** Puts the state before the batch that was made from it, but after a doctype, which must come first. */
export function insertState(batch: HtmlBatch, state: string): Uint8Array {
  const parts = batch.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const html = concatenated(parts);
  if (state === '') return html;
  const at = startsWith(html, DOCTYPE) ? DOCTYPE.length : 0;
  return concatenated([html.subarray(0, at), encoder.encode(state), html.subarray(at)]);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
