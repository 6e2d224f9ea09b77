/** The server of a calendar: ids that are numbers in one answer and texts in another, tags, defaults of its own, answers without a body. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

interface Kept {
  readonly room: number;
  readonly day: string;
  readonly guest: string;
  readonly state: string;
}
interface KeptGuest {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const DAYS: readonly string[] = ['01', '02', '03', '04', '05', '06'].map((day) => `2026-03-${day}`);
const STATES: readonly string[] = ['requested', 'confirmed', 'cancelled'];

export class BookingServer {
  readonly #network: Network;
  readonly #choice: Random;
  readonly #rates = new Map([1, 2, 3].map((room) => [room, 9_007_199_254_740_993n + BigInt(room)]));
  readonly #extras = new Map(
    [1, 2, 3].map((room): [number, readonly Fields[]] => [room, [{ id: `${room}a`, label: 'x1' }]]),
  );
  #guests: readonly KeptGuest[] = ['1', '2', '3'].map((id) => ({ id, name: `n${id}`, email: `e${id}` }));
  #bookings: readonly Kept[] = [];

  constructor(network: Network, choice: Random) {
    this.#network = network;
    this.#choice = choice;
    for (const room of [1, 2, 3])
      for (const day of DAYS)
        if (choice.isLucky(0.4))
          this.#bookings = [
            ...this.#bookings,
            { room, day, guest: choice.pick(['1', '2', '3']), state: choice.pick(STATES) },
          ];
  }

  other(choice: Random): string {
    const room = choice.pick([1, 2, 3]);
    const day = choice.pick(DAYS);
    const found = this.#bookings.find((one) => one.room === room && one.day === day);
    if (choice.isLucky(0.2)) {
      const guest = choice.pick(this.#guests);
      this.#changeGuest({ ...guest, name: `n${this.#network.next()}` });
      return `renames ${guest.id}`;
    }
    if (found === undefined)
      this.#bookings = [
        ...this.#bookings,
        { room, day, guest: choice.pick(['1', '2', '3']), state: choice.pick(STATES) },
      ];
    else if (choice.isLucky(0.3)) this.#bookings = this.#bookings.filter((one) => one !== found);
    else this.#change(found, { state: choice.pick(STATES) });
    return `changes ${room}/${day}`;
  }

  answer(call: Call): Reply {
    const { headers, method } = call;
    // Reads may have no answer, or may fail for a while.
    if (method === 'GET' && !this.#network.isFresh && this.#network.troubles.failed > 0) {
      if (this.#choice.isLucky(0.1)) return { status: 503 };
      if (this.#choice.isLucky(0.05)) return { isStuck: true };
    }
    const reply = this.#answer(call);
    if (method !== 'GET' || reply.body === undefined) return reply;
    const tag = `"${JSON.stringify(reply.body)}"`.replaceAll(/[^\w"]/g, '');
    const ETag = `"${tag.replaceAll('"', '')}"`;
    if (headers.get('if-none-match') === ETag) return { status: 304, headers: { ETag } };
    return { ...reply, headers: { ETag } };
  }

  #answer({ body, method, path: [table, id = '', part, day, action], search }: Call): Reply {
    const room = Number(id);
    if (table === 'bookings' && method === 'PATCH') return this.#changeMany(body);
    if (table === 'bookings')
      return { body: this.#sorted(({ state }) => state === search['state']).map((one) => this.#body(one, String)) };
    if (table === 'guests') return { body: this.#guests };
    if (id === '') return { body: [...this.#rates.keys()].map((one) => this.#room(one, Number)) };
    if (part === undefined) return { body: this.#room(room, String) };
    if (part === 'total') return { body: { total: `${this.#totalOf(room)}` } };
    if (part === 'extras') return this.#answerExtras(method, room, body);
    if (day === undefined) return this.#answerList(method, room, body);
    const found = this.#bookings.find((one) => one.room === room && one.day === day);
    if (found === undefined) return { status: 404 };
    if (action === 'cancel') this.#change(found, { state: 'cancelled' });
    if (method === 'DELETE') this.#bookings = this.#bookings.filter((one) => one !== found);
    if (action === 'cancel' || method === 'DELETE') return { status: 204 };
    if (method === 'GET') return { body: this.#body(found, String) };
    return { body: this.#patch(found, body) };
  }

  #answerList(method: string, room: number, body: Fields): Reply {
    if (method === 'GET')
      return { body: this.#sorted((one) => one.room === room).map((one) => this.#body(one, Number)) };
    const day = String(body['day']);
    if (this.#bookings.some((one) => one.room === room && one.day === day))
      return { status: 409, body: { message: 'There is a booking.' } };
    // The first room needs no confirmation.
    const booking = { room, day, guest: String(body['guest']), state: room === 1 ? 'confirmed' : 'requested' };
    this.#bookings = [...this.#bookings, booking];
    return { status: 201, body: this.#body(booking, Number) };
  }

  #answerExtras(method: string, room: number, body: Fields): Reply {
    if (method === 'PUT') {
      const items = body as unknown as readonly Fields[];
      this.#extras.set(
        room,
        items.map(({ id, label }) => ({ id: id ?? `${room}x${this.#network.next()}`, label })),
      );
    }
    return { body: this.#extras.get(room) };
  }

  #patch(booking: Kept, { guest, state }: Fields): Fields {
    if (guest !== undefined) this.#changeGuest(guest as KeptGuest);
    return this.#body(this.#change(booking, state === undefined ? {} : { state: String(state) }), Number);
  }

  #changeMany({ keys, state }: Fields): Reply {
    const asked = (keys as readonly string[]).flatMap(
      (key) => this.#bookings.find((one) => `${one.room}/${one.day}` === key) ?? [],
    );
    return { body: { bookings: asked.map((one) => this.#body(this.#change(one, { state: String(state) }), String)) } };
  }

  #changeGuest(changes: Partial<KeptGuest>): void {
    this.#guests = this.#guests.map((one) => (one.id === changes.id ? { ...one, ...changes } : one));
  }

  #change(booking: Kept, changes: Partial<Kept>): Kept {
    const changed = { ...booking, ...changes };
    this.#bookings = this.#bookings.map((one) => (one === booking ? changed : one));
    return changed;
  }

  #sorted(matches: (booking: Kept) => boolean): readonly Kept[] {
    return this.#bookings
      .filter(matches)
      .sort((one, other) => (`${one.day}${one.room}` < `${other.day}${other.room}` ? -1 : 1));
  }

  #priceOf({ day, room, state }: Kept): bigint {
    return state === 'cancelled' ? 0n : (this.#rates.get(room) ?? 0n) + BigInt(day.slice(-1));
  }

  #totalOf(room: number): bigint {
    return this.#bookings.filter((one) => one.room === room).reduce((sum, one) => sum + this.#priceOf(one), 0n);
  }

  #room(room: number, idOf: (room: number) => unknown): Fields {
    return { id: idOf(room), name: `n${room}`, rate: `${this.#rates.get(room)}` };
  }

  #body(booking: Kept, idOf: (room: number) => unknown): Fields {
    const { day, guest, room, state } = booking;
    const found = this.#guests.find(({ id }) => id === guest);
    return {
      roomId: idOf(room),
      day,
      state,
      startsAt: `${day}T12:00:00Z`,
      price: `${this.#priceOf(booking)}`,
      guest: found,
    };
  }
}
