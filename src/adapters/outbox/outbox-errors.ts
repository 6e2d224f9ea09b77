import { namedError } from '../../std/cancelling.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { thrown } from '../../std/thrown.ts';
import type { QueuedEntry } from './outbox-entry.ts';

export function blocked({ name }: QueuedEntry, stopped: QueuedEntry): DataError {
  const error = new DataError(
    'outbox-blocked',
    `${name} waits for an earlier edit, ${stopped.name}, which has stopped.`,
    { cause: stopped.error, cure: inDevelopment(() => 'Retry, edit or discard that one.') },
  );
  // Failed Dependency: nothing was carried out.
  error.status = 424;
  return error;
}

export function overtaken(name: string): DataError {
  return new DataError(
    'outbox-overtaken',
    `${name} could not be read from the storage in time, and a later edit has changed the same fields meanwhile.`,
    { cure: inDevelopment(() => 'Compare it with the record, then retry, edit or discard it.') },
  );
}

export function neverCreated({ name }: QueuedEntry, pk: string): DataError {
  const error = new DataError(
    'record-never-created',
    `${name} is about the record ${pk}, whose create was discarded or failed.`,
    { cure: inDevelopment(() => 'Discard it, or edit it to name another record.') },
  );
  error.status = 424;
  return error;
}

export function unsure(name: string, cause?: unknown): DataError {
  return new DataError(
    'outbox-unsure',
    `${name} may have been carried out, and is sent without an idempotency key, so it is not repeated.`,
    { cause, cure: inDevelopment(() => 'Look at the data of the server, then retry or discard it.') },
  );
}

/** Returns whether an entry has stopped because its tab does not know its endpoint, but this tab does. Tabs can have different versions of an application. */
export function isKnownHere({ endpoint, error, state }: QueuedEntry): boolean {
  return state === 'stopped' && endpoint !== undefined && thrown(error).code === 'outbox-endpoint-unknown';
}

export function endpointUnknown(name: string): DataError {
  return new DataError(
    'outbox-endpoint-unknown',
    `The endpoint ${name} is offline, and no OutboxManager could send it after a restart.`,
    { cure: inDevelopment(() => 'Add it, or its resource, to the option endpoints.') },
  );
}

export function entryMissing(id: string): DataError {
  return new DataError('outbox-entry-missing', `There is no edit ${id} in the outbox: it was answered or discarded.`);
}

export function entrySent(name: string): DataError {
  return new DataError(
    'outbox-entry-sent',
    `${name} may have reached the server, so its arguments cannot be changed.`,
    { cure: inDevelopment(() => 'Wait for its answer, then edit the record. If it has stopped, discard it first.') },
  );
}

/**
 * Returns the error of an edit that was given up, which is not a failure. If the edit was certainly not sent, the error has a status: it
 * says to the store that the server has changed nothing.
 */
export function givenUp(cause?: unknown, isSent = false): Error {
  const error = namedError('AbortError', 'The edit was given up.');
  return Object.assign(error, { cause }, !isSent && { status: 499 });
}
