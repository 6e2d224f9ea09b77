import { expect, it } from 'vitest';
import { Tickets, type Ticket } from './tickets.ts';

it('requests are numbered in the order in which they begin', () => {
  let time = 0;
  const requests = new Tickets(() => (time += 10));
  const tickets = [requests.begin(), requests.next(), requests.begin()];
  expect(tickets).toEqual([
    { issue: 1, fetchedAt: 10 },
    { issue: 2, fetchedAt: 20 },
    { issue: 3, fetchedAt: 30 },
  ]);
  expect(requests.last).toBe(3);
});

it('a ticket can be used for one write only', () => {
  const requests = new Tickets(() => 0);
  const ticket = requests.begin();
  expect(requests.take(ticket)).toBe(true);
  expect(() => requests.take(ticket)).toThrow(
    `Request ${ticket.issue} was settled before. Use each ticket of begin() for one write.`,
  );
});

it('a ticket that begin() did not return is refused', () => {
  const requests = new Tickets(() => 0);
  const { issue, fetchedAt } = requests.begin();
  const copy: Ticket = { issue, fetchedAt };
  expect(() => requests.take(copy)).toThrow(expect.objectContaining({ code: 'request-settled' }));
  requests.settle(copy);
  expect(requests.isAnyOlder(Number.POSITIVE_INFINITY)).toBe(true);
});

it('a request is in flight until it is answered or settled', () => {
  const requests = new Tickets(() => 0);
  const [one, two] = [requests.begin(), requests.begin()];
  expect(requests.isAnyOlder(Number.POSITIVE_INFINITY)).toBe(true);
  expect([requests.isAnyOlder(1), requests.isAnyOlder(2)]).toEqual([false, true]);
  requests.take(one);
  expect([requests.isAnyOlder(2), requests.isAnyOlder(3)]).toEqual([false, true]);
  requests.settle(two);
  expect(requests.isAnyOlder(Number.POSITIVE_INFINITY)).toBe(false);
  expect(requests.isAnyOlder(9)).toBe(false);
});

it('after a reset, earlier tickets are refused without an error, however often they are used', () => {
  const requests = new Tickets(() => 0);
  const ticket = requests.begin();
  requests.revoke();
  expect(requests.isAnyOlder(Number.POSITIVE_INFINITY)).toBe(false);
  expect([requests.take(ticket), requests.take(ticket)]).toEqual([false, false]);
});

it('after a reset that is undone, earlier requests are in flight again, and come before later ones in the order', () => {
  const requests = new Tickets(() => 0);
  const before = requests.begin();
  const undo = requests.revoke();
  const begun = requests.begin();
  expect(requests.isAnyOlder(begun.issue)).toBe(false);
  expect(requests.isRevoked(before)).toBe(true);
  undo();
  expect(requests.isRevoked(before)).toBe(false);
  expect(requests.isAnyOlder(begun.issue)).toBe(true);
  expect([requests.take(before), requests.take(begun)]).toEqual([true, true]);
});

it('a reset is counted, unless it is undone', () => {
  const requests = new Tickets(() => 0);
  requests.revoke();
  const undo = requests.revoke();
  expect(requests.resets).toBe(2);
  undo();
  expect(requests.resets).toBe(1);
});

it('requests after a commit of another store come later in the order', () => {
  const requests = new Tickets(() => 0);
  requests.origin = 7 / 2 ** 20;
  requests.noteIssue(41.5);
  expect(requests.last).toBe(41.5);
  expect(requests.begin().issue).toBe(42 + 7 / 2 ** 20);
  requests.noteIssue(3);
  expect(requests.next().issue).toBeGreaterThan(43);
});
