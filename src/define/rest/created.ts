import type { PreparedInit } from './request-init.ts';
import { withinOrigin } from './url.ts';

/** Whether an answer can say where the record is that was created. That of 202 is where to ask how far it is. */
export function isCreating(method: string, status: number): boolean {
  return method === 'POST' && (status === 201 || status === 204);
}

/** Where a response says that the record is which was created, within the origin that was asked. */
export function createdAt(url: string, { headers }: Response): string | undefined {
  const location = headers.get('location');
  return location === null ? undefined : withinOrigin(location, url);
}

/** Headers that are about a change or its body. */
const OF_CHANGES = /^(content-|idempotency-key$|if-)/i;

interface ResponseReader {
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
}

/** Reads a record that was created. Where that fails it was created all the same, and the answer stays what it was. */
export async function readCreated(
  reader: ResponseReader,
  url: string,
  { body: _body, headers, ...init }: RequestInit,
  answered: unknown,
): Promise<unknown> {
  const kept = Object.entries(headers as PreparedInit['headers']).filter(([name]) => !OF_CHANGES.test(name));
  try {
    const response = await reader.fetchResponse(url, { ...init, method: 'GET', headers: Object.fromEntries(kept) });
    return await reader.parseResponse(response);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    return answered;
  }
}
