import { memo } from '../../std/memo.ts';
import { type Answer, valueOf } from '../view/answer.ts';
import type { ViewReader } from './reader.ts';

/** A promise with a `status`. React's `use` reads a fulfilled one without waiting. */
export interface Usable<Value> extends Promise<Value> {
  readonly resolved: boolean;
}

/** The fields that `use` reads from a promise. */
interface Outcome {
  readonly resolved: boolean;
  readonly status: 'fulfilled' | 'rejected';
  readonly value?: unknown;
  readonly reason?: unknown;
}

const usables = new WeakMap<object, Usable<unknown>>();
/** The promise for which a reader has waited. */
const awaited = new WeakMap<ViewReader, Usable<unknown> & Partial<Outcome>>();

/**
 * Returns the promise for an answer: the same promise for the same answer, and while readers wait for it. On a server, React continues a component
 * that has suspended with the promise of its first render, which therefore has the latest value.
 */
export function usable(reader: ViewReader, answer: Answer, isServer: boolean): Usable<unknown> {
  if (answer.status !== 'missing')
    return memo(usables, answer, () => promiseOf(outcomeOf(answer), awaited.get(reader)));
  const arrival = reader.wait();
  const promise = memo(usables, arrival, () => waitingPromise(reader, arrival, isServer));
  awaited.set(reader, promise);
  return promise;
}

/**
 * Returns the promise for an outcome. It is the promise for which the reader has waited, if that has the same outcome: React continues a component
 * that has suspended by rendering it once more, and warns if it then gets another promise.
 */
function promiseOf(outcome: Outcome, last: (Usable<unknown> & Partial<Outcome>) | undefined): Usable<unknown> {
  const isSame = last?.status === outcome.status && last.value === outcome.value && last.reason === outcome.reason;
  return last !== undefined && isSame ? last : Object.assign(settledPromise(outcome), outcome);
}

function outcomeOf(answer: Answer): Outcome {
  return answer.status === 'failed'
    ? { resolved: true, status: 'rejected', reason: answer.error }
    : { resolved: true, status: 'fulfilled', value: valueOf(answer) };
}

function waitingPromise(reader: ViewReader, arrival: Promise<void>, isServer: boolean): Usable<unknown> {
  const promise = arrival.then(async () => {
    // The promise has one value. So it is not fulfilled before the rest of the screen shows that value.
    const answer = reader.arrived();
    if (answer.status === 'missing') return usable(reader, answer, isServer);
    const outcome = outcomeOf(answer);
    void Object.assign(promise, outcome);
    if (isServer && outcome.status === 'fulfilled') readLatest(promise, reader);
    return settledPromise(outcome);
  });
  promise.catch(ignore);
  return Object.assign(promise, { resolved: false });
}

function readLatest(promise: object, { view }: ViewReader): void {
  Object.defineProperty(promise, 'value', { get: () => valueOf(view.current()) });
}

function settledPromise({ status, value, reason }: Outcome): Promise<unknown> {
  if (status === 'fulfilled') return Promise.resolve(value);
  const promise = Promise.reject(reason);
  // `use` throws the error in the component.
  promise.catch(ignore);
  return promise;
}

function ignore(): void {}
