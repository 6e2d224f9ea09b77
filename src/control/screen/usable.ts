import type { Answer } from '../view/answer.ts';
import type { ViewReader } from './reader.ts';

/** A promise with a `status`. React's `use` reads a fulfilled one without waiting. */
export interface Usable<Value> extends Promise<Value> {
  readonly resolved: boolean;
}

const usables = new WeakMap<object, Usable<unknown>>();

/** The promise for an answer: the same promise for the same answer, and while readers wait for it. */
export function usable(reader: ViewReader, answer: Answer): Usable<unknown> {
  const asked = answer.status === 'missing' ? reader.wait() : undefined;
  const about = asked ?? answer;
  const known = usables.get(about) ?? (asked === undefined ? kept(answer) : waiting(reader, asked));
  usables.set(about, known);
  return known;
}

function kept(answer: Answer): Usable<unknown> {
  if (answer.status === 'failed') {
    const { error: reason } = answer;
    return Object.assign(rejected(reason), { resolved: true, status: 'rejected', reason });
  }
  const { value } = answer as { readonly value: unknown };
  return Object.assign(Promise.resolve(value), { resolved: true, status: 'fulfilled', value });
}

function waiting(reader: ViewReader, asked: Promise<void>): Usable<unknown> {
  const promise = asked.then(async () => {
    const answer = reader.view.current();
    return answer.status === 'missing' ? usable(reader, answer) : kept(answer);
  });
  promise.catch(ignore);
  return Object.assign(promise, { resolved: false });
}

function rejected(reason: unknown): Promise<unknown> {
  const promise = Promise.reject(reason);
  // `use` throws the error in the component.
  promise.catch(ignore);
  return promise;
}

function ignore(): void {}
