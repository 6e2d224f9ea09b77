import { describe, expect, it } from 'vitest';
import { networkOf, presenceOf } from './presence.ts';

describe('presence', () => {
  it('is always true when there is no page', () => {
    const presence = presenceOf({});
    expect(presence.isPresent()).toBe(true);
    presence.subscribe(() => {})();
  });

  it('is false while the page is hidden or offline', () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const page = Object.assign(new EventTarget(), { document, navigator: { onLine: true } });
    const presence = presenceOf(page);
    let calls = 0;
    const stop = presence.subscribe(() => calls++);
    expect(presence.isPresent()).toBe(true);
    document.visibilityState = 'hidden';
    expect(presence.isPresent()).toBe(false);
    document.visibilityState = 'visible';
    page.navigator.onLine = false;
    expect(presence.isPresent()).toBe(false);
    for (const type of ['online', 'offline']) page.dispatchEvent(new Event(type));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(calls).toBe(3);
    stop();
    page.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(calls).toBe(3);
  });

  it('of a network alone does not depend on whether the page is shown', () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    const page = Object.assign(new EventTarget(), { document, navigator: { onLine: true } });
    const network = networkOf(page);
    let calls = 0;
    const stop = network.subscribe(() => calls++);
    expect(network.isPresent()).toBe(true);
    document.dispatchEvent(new Event('visibilitychange'));
    for (const type of ['online', 'offline']) page.dispatchEvent(new Event(type));
    expect(calls).toBe(2);
    stop();
    page.dispatchEvent(new Event('online'));
    page.navigator.onLine = false;
    expect([calls, network.isPresent()]).toEqual([2, false]);
    expect(networkOf({}).isPresent()).toBe(true);
  });
});
