import { expect, it } from 'vitest';
import { Controller, Entity, resource } from '../../index.ts';
import { settled } from '../../../tests/ordering/transport.ts';
import { ChosenPks } from './chosen-pks.ts';
import { RequestInFlight } from './request-in-flight.ts';

class Room extends Entity {
  id = '';
  name = '';
  static override key = 'ChosenRoom';
}
const ID = '0f9c1b9e-6a42-4d3b-8f5d-1f6b9a0c7e21';

/** A create of a room, and what later mutations with some arguments wait for. */
function begin(pk = ID) {
  const { store } = new Controller();
  const pks = new ChosenPks(store);
  const endpoint = resource({ path: '/rooms/:id', schema: Room }).getList.push;
  const request = (...args: readonly unknown[]): RequestInFlight =>
    new RequestInFlight({ endpoint, args, key: '', fetchedAt: 0 }, store.begin());
  const create = request({ id: pk });
  pks.noteCreates(create, { created: [{ table: Room.key, pk, isTemporary: false, isNested: false }] } as never);
  return { create, waits: (...args: readonly unknown[]) => pks.createsBefore(request(...args)) !== undefined };
}

it('a mutation waits for the create of a record that its arguments name anywhere', () => {
  const { waits } = begin();
  const room = Room.fromJS({ id: ID });
  const form = new FormData();
  form.append('room', ID);
  const nested = [{ room: { id: ID } }, { moves: [{ to: { rooms: [{ $ref: ID }] } }] }];
  for (const one of [ID, [ID], { room: ID }, { room }, { rooms: ['other', ID] }, { rooms: [room] }, form, ...nested])
    expect([waits(one), waits({}, one)]).toEqual([true, true]);
  for (const other of ['other', { room: `in ${ID}` }]) expect(waits(other)).toBe(false);
  expect(waits()).toBe(false);
});

it('a mutation that mentions a short text does not wait for a record with this pk', () => {
  const { waits } = begin('news');
  expect(waits({ title: 'news' })).toBe(false);
});

it.each([['resolve'], ['reject']] as const)('nothing waits for a create that has ended: %s', async (end) => {
  const { create, waits } = begin();
  create[end](new Error('refused'));
  await settled();
  expect(waits(ID)).toBe(false);
});

it('a mutation may have arguments of any kind', () => {
  const { waits } = begin();
  class Broken extends Room {
    override pk(): string {
      throw new Error('no pk');
    }
  }
  const odd = [null, undefined, 7, Symbol('a'), Object.create(null), [Object.create(null)], new Broken()];
  for (const value of odd) expect(waits(value, { value })).toBe(false);
});
