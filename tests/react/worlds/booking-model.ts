/** The model of a calendar: rooms, guests, bookings with keys of two fields, extras. */
import { Entity, httpCaching, resource, RestEndpoint, retrying } from 'rejoin';
import { Network } from './network.ts';

export const network = new Network();
const { platform } = network;
type Id = number | string;

class Room extends Entity {
  id: Id = 0;
  name = '';
  rate = 0n;
  static override key = 'Room';
  static override schema = { rate: BigInt };
}
export class Guest extends Entity {
  id = '';
  name = '';
  email = '';
  static override key = 'Guest';
}
export class Booking extends Entity {
  roomId: Id = 0;
  day = '';
  state = 'requested';
  startsAt = new Date(0);
  price = 0n;
  guest: Guest | undefined = undefined;
  override pk(): string {
    return `${this.roomId}/${this.day}`;
  }
  static override key = 'Booking';
  static override schema = { guest: Guest, startsAt: (text: string) => new Date(text), price: BigInt };
}
class Extra extends Entity {
  id = '';
  label = '';
  static override key = 'Extra';
}

const common = { platform, caching: httpCaching(), retry: retrying({ limit: 4, baseDelay: 50 }), timeout: 3000 };
export const rooms = resource({ path: '/rooms/:id', schema: Room, ...common });
export const guests = resource({ path: '/guests/:id', schema: Guest, ...common });
export const getTotal = new RestEndpoint({
  path: '/rooms/:roomId/total',
  process: ({ total }: { readonly total: string }) => ({ total: BigInt(total) }),
  ...common,
});
export const bookings = resource({
  path: '/rooms/:roomId/bookings/:day',
  schema: Booking,
  optimistic: true,
  refetches: [getTotal],
  list: {
    orderBy: (one: Booking, other: Booking) => compare(one.day, other.day) || Number(one.roomId) - Number(other.roomId),
  },
  ...common,
});
const list = bookings.getList.schema;
export const getByState = new RestEndpoint({
  path: '/bookings',
  searchParams: {} as { readonly state: string },
  schema: list,
  ...common,
});
export const editMany = new RestEndpoint({
  path: '/bookings',
  method: 'PATCH',
  body: {} as { readonly keys: readonly string[]; readonly state: string },
  schema: { bookings: [Booking] },
  refetches: [getTotal],
  getOptimisticResponse: (_, { keys, state }) => ({
    bookings: keys.map((key) => ({ roomId: key.split('/')[0], day: key.split('/')[1], state })),
  }),
  platform,
});
export const cancel = new RestEndpoint({
  path: '/rooms/:roomId/bookings/:day/cancel',
  method: 'POST',
  body: undefined,
  schema: Booking,
  refetches: [getTotal],
  getOptimisticResponse: (_, { day, roomId }) => ({ roomId, day, state: 'cancelled' }),
  platform,
});
export const extras = resource({ path: '/rooms/:roomId/extras/:id', schema: Extra, ...common });
export const putExtras = extras.getList.extend({
  method: 'PUT',
  body: [] as readonly { readonly id?: string; readonly label: string }[],
  getOptimisticResponse: (_: unknown, __: unknown, body: readonly object[]) => body,
});

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
