import { afterEach, describe, expect, it, vi } from 'vitest';
import { abortWith, eitherSignal, namedError, reasonOf, throwIfAborted } from './cancelling.ts';

afterEach(() => vi.unstubAllGlobals());

/** As in React Native: `abort` drops the reason, and there is no `any`. */
class BareSignal extends EventTarget {
  aborted = false;
}
class BareController {
  readonly signal = new BareSignal();
  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event('abort'));
  }
}
const bare = (): void => {
  vi.stubGlobal('AbortController', BareController);
  vi.stubGlobal('AbortSignal', BareSignal);
};
const environments = [
  ['where signals have reasons', () => {}],
  ['where signals have no reasons', bare],
] as const;

describe.each(environments)('%s', (_, enter) => {
  it('abortWith aborts with a reason, which listeners see, and later reasons do not count', () => {
    enter();
    const aborting = new AbortController();
    const reason = new Error('why');
    const seen: unknown[] = [];
    aborting.signal.addEventListener('abort', () => seen.push(reasonOf(aborting.signal)));
    abortWith(aborting, reason);
    abortWith(aborting, new Error('other'));
    abortWith(undefined, reason);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBe(reason);
    expect(reasonOf(aborting.signal)).toBe(reason);
  });

  it('throwIfAborted throws the reason, or an AbortError if there is none', () => {
    enter();
    const aborting = new AbortController();
    throwIfAborted(undefined);
    throwIfAborted(aborting.signal);
    aborting.abort();
    expect(() => throwIfAborted(aborting.signal)).toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('eitherSignal aborts with the first of two signals, for its reason', () => {
    enter();
    const [one, other] = [new AbortController(), new AbortController()];
    expect(eitherSignal(one.signal, undefined)).toBe(one.signal);
    expect(eitherSignal(null, other.signal)).toBe(other.signal);
    const either = eitherSignal(one.signal, other.signal) as AbortSignal;
    expect(either.aborted).toBe(false);
    const reason = new Error('why');
    abortWith(other, reason);
    expect(either.aborted).toBe(true);
    expect(reasonOf(either)).toBe(reason);
    expect(reasonOf(eitherSignal(one.signal, other.signal) as AbortSignal)).toBe(reason);
  });
});

it('namedError is recognized by its name', () => {
  expect(namedError('TimeoutError', 'Too late.')).toMatchObject({ name: 'TimeoutError', message: 'Too late.' });
});
