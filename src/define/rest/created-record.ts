import type { RestCall } from './params-and-body.ts';
import type { PreparedInit } from './request-init.ts';
import { originOf, withinOrigin } from './url.ts';

/** Returns whether the `Location` of an answer can be the created record. The `Location` of a 202 is a page about progress. */
export function isCreating(method: string, status: number): boolean {
  return method === 'POST' && (status === 201 || status === 204);
}

/** Returns the address of a created record, if it is on the origin of the request. */
export function createdAt(url: string, { headers, url: answered }: Response): string | undefined {
  const location = headers.get('location');
  // The origin of a relative address is that of the page. Only the response knows it.
  const from = originOf(url) === originOf('') ? answered || url : url;
  return location === null ? undefined : withinOrigin(location, from);
}

/** Headers that apply only to the mutation or its body. */
const OF_CHANGES = /^(content-|idempotency-key$|if-)/i;

interface ResponseReader {
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response, call: RestCall): Promise<unknown>;
}

/** Fetches a created record from its address. If that fails, returns the answer of the mutation: the record was created in any case. */
export async function readCreated(
  reader: ResponseReader,
  url: string,
  { body: _body, headers, ...init }: RequestInit,
  answered: unknown,
  call: RestCall,
): Promise<unknown> {
  const kept = Object.entries(headers as PreparedInit['headers']).filter(([name]) => !OF_CHANGES.test(name));
  try {
    const response = await reader.fetchResponse(url, { ...init, method: 'GET', headers: Object.fromEntries(kept) });
    return await reader.parseResponse(response, call);
  } catch {
    // If the request was aborted, it has failed already.
    return answered;
  }
}
