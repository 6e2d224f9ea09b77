/** A calendar of bookings: keys of two fields, dates and large numbers, PATCH, PUT of a list, bulk edits, 204, ETags, retries, aborts. */
import { type ReactNode, useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { getDefaultManagers, keyOf, type Manager, NetworkManager } from 'rejoin';
import { AsyncBoundary, useCancelling, useController, useDLE, useMutation, useSuspense } from 'rejoin/react';
import type { Random } from '../random.ts';
import { BookingServer } from './booking-server.ts';
import { Button, playWorld, useChoice, World } from './world.tsx';
import type { Watch } from './watch.ts';
import {
  network,
  type Guest,
  type Booking,
  rooms,
  guests,
  getTotal,
  bookings,
  getByState,
  editMany,
  cancel,
  extras,
  putExtras,
} from './booking-model.ts';

const { platform } = network;
let watch: Watch;
let world: BookingWorld;
const unique = network.next;
const STATES = ['requested', 'confirmed', 'cancelled'];
const nameOf = ({ day, roomId }: Booking): string => `b${roomId}.${day}`;
const guestText = (guest: Guest | undefined): string =>
  guest ? ` g${guest.id}:${guest.name}/${guest.email}` : ' nobody';
const text = (booking: Booking): string =>
  ` ${nameOf(booking)}:${booking.state}/${booking.price}/${booking.startsAt.getTime()}${guestText(booking.guest)}`;

/** What the user has changed must not come back, unless another user can change it as well. */
function noteEdit(...[record, place, value, done]: Parameters<Watch['edit']>): void {
  if (!world.hasOther) watch.edit(record, place, value, done);
}

function noteRemoval(...[record, done]: Parameters<Watch['remove']>): void {
  if (!world.hasOther) watch.remove(record, done);
}

function Row({ booking, onOpen, onSelect }: { booking: Booking; onOpen: () => void; onSelect: () => void }): ReactNode {
  const { mutate: edit } = useMutation(bookings.partialUpdate);
  const { mutate: stop } = useMutation(cancel);
  const { mutate: remove } = useMutation(bookings.delete);
  const { day, guest, roomId, state } = booking;
  const key = booking.pk();
  const name = nameOf(booking);
  const to = STATES[unique() % 3] as string;
  const write = (): void => {
    const email = `e${unique()}`;
    if (guest && world.creating.has(name)) watch.editThatWaits(`g${guest.id}`, 1, email);
    if (guest) noteEdit(`g${guest.id}`, 1, email, edit({ roomId, day }, { guest: { id: guest.id, email } }));
  };
  return (
    <p>
      {text(booking)}
      {state !== to && (
        <Button name={`set ${key}`} onClick={() => noteEdit(name, 0, to, edit({ roomId, day }, { state: to }))} />
      )}
      <Button name={`email ${key}`} onClick={write} />
      {state !== 'cancelled' && (
        <Button name={`cancel ${key}`} onClick={() => noteEdit(name, 0, 'cancelled', stop({ roomId, day }))} />
      )}
      <Button name={`delete ${key}`} onClick={() => noteRemoval(name, remove({ roomId, day }))} />
      <Button name={`open ${key}`} onClick={onOpen} />
      <Button name={`select ${key}`} onClick={onSelect} />
    </p>
  );
}

function Detail({ day, roomId }: { readonly day: string; readonly roomId: string }): ReactNode {
  const { data, error, loading } = useDLE(useCancelling(bookings.get, { roomId, day }), { roomId, day });
  if (loading) return ' waiting';
  return error || !data ? ' failed' : text(data);
}

/** The component aborts its request when it unmounts. */
function RoomView({ id }: { readonly id: number }): ReactNode {
  const controller = useController();
  const { name, rate } = useSuspense(rooms.get, { id });
  useEffect(() => {
    const aborting = new AbortController();
    controller.fetch(rooms.get.extend({ signal: aborting.signal }), { id }).catch(() => undefined);
    return () => aborting.abort();
  }, [controller, id]);
  return ` r${id}:${name}/${rate}`;
}

function Extras({ roomId }: { readonly roomId: number }): ReactNode {
  const all = useSuspense(extras.getList, { roomId });
  const { mutate: put } = useMutation(putExtras);
  const kept = all.map(({ id, label }) => ({ id, label }));
  return (
    <>
      {` extras[${all.map(({ id, label }) => ` e${id}:${label}`).join('')}]`}
      <Button
        name="addExtra"
        onClick={() => void put({ roomId }, [...kept, { id: `${roomId}y${unique()}`, label: `x${unique()}` }])}
      />
      <Button name="dropExtra" onClick={() => void put({ roomId }, kept.slice(1))} />
      <Button name="turnExtras" onClick={() => void put({ roomId }, kept.toReversed())} />
      <Button
        name="changeExtra"
        onClick={() =>
          void put(
            { roomId },
            kept.map((one) => ({ ...one, label: `x${unique()}` })),
          )
        }
      />
    </>
  );
}

function Calendar({ open, roomId }: { readonly roomId: number; readonly open: (key: string) => void }): ReactNode {
  const all = useSuspense(bookings.getList, { roomId });
  const { total } = useSuspense(getTotal, { roomId });
  const { mutate: create } = useMutation(bookings.getList.push);
  const { mutate: many } = useMutation(editMany);
  const [selected, select] = useState<readonly string[]>([]);
  const keys = selected.filter((key) => all.some((one) => one.pk() === key));
  const day = `2026-03-0${1 + (unique() % 6)}`;
  const set = (state: string): void => {
    for (const key of keys) watch.forget(`b${key.replace('/', '.')}`);
    void many({ keys, state });
    select([]);
  };
  const startsAt = world.sendsDates ? { startsAt: new Date(`${day}T12:00:00Z`) } : {};
  const add = (): void => {
    const name = `b${roomId}.${day}`;
    watch.forget(name);
    world.creating.add(name);
    const done = create({ roomId }, { day, guest: `${1 + (unique() % 3)}`, ...startsAt } as never);
    void done.finally(() => world.creating.delete(name));
  };
  return (
    <>
      {` total ${total} bookings[`}
      {all.map((one) => (
        <Row
          key={keyOf(one)}
          booking={one}
          onOpen={() => open(one.pk())}
          onSelect={() => select([...selected, one.pk()])}
        />
      ))}
      {']'}
      {!all.some((one) => one.day === day) && <Button name="create" onClick={add} />}
      {keys.length > 0 &&
        STATES.map((state) => <Button key={state} name={`many ${state}`} onClick={() => set(state)} />)}
    </>
  );
}

function ByState({ state }: { readonly state: string }): ReactNode {
  return <>{` bookings[${useSuspense(getByState, { state }).map(text).join('')}]`}</>;
}

function App(): ReactNode {
  const [roomId, go] = useChoice('room', 1);
  const [state, filter] = useChoice('state', 'requested');
  const [opened, open] = useChoice<string | undefined>('open', undefined);
  const controller = useController();
  const reload = (): void => {
    world.isBehind = false;
    void controller.expireAll({ testKey: () => true });
  };
  return (
    <>
      {useSuspense(rooms.getList).map(({ id, name, rate }) => ` r${id}:${name}/${rate}`)}
      {useSuspense(guests.getList).map(guestText)}
      <Button name="reload" onClick={reload} />
      {[1, 2, 3].map((one) => (
        <Button key={one} name={`room ${one}`} onClick={() => go(one)} />
      ))}
      {STATES.map((one) => (
        <Button key={one} name={`filter ${one}`} onClick={() => filter(one)} />
      ))}
      {opened !== undefined && <Button name="close" onClick={() => open(undefined)} />}
      <AsyncBoundary fallback=" waiting">
        <RoomView key={roomId} id={roomId} />
        <Extras roomId={roomId} />
      </AsyncBoundary>
      <AsyncBoundary fallback=" waiting">
        <Calendar key={roomId} roomId={roomId} open={open} />
      </AsyncBoundary>
      <AsyncBoundary fallback=" waiting">
        <ByState state={state} />
      </AsyncBoundary>
      {opened !== undefined && <Detail roomId={opened.split('/')[0] ?? ''} day={opened.split('/')[1] ?? ''} />}
    </>
  );
}

class BookingWorld extends World {
  readonly server = new BookingServer(network, this.choice);
  readonly sendsDates = this.choice.isLucky(0.5);
  override readonly isStrict = this.choice.isLucky(0.3);
  readonly hasOther = this.choice.isLucky(0.3);
  /** The bookings whose create is pending: what changes them waits for it. */
  readonly creating: Set<string> = new Set();

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
  }

  override managers(): readonly Manager[] {
    return getDefaultManagers({ devToolsManager: null, networkManager: new NetworkManager({ platform } as never) });
  }

  override page(): ReactNode {
    return <App />;
  }

  /** Nothing tells the page what the other user has done, until the user reloads it. */
  override other(choice: Random): string | undefined {
    if (!this.hasOther) return undefined;
    this.isBehind = true;
    return super.other(choice);
  }
}

test('a calendar shows the bookings of the server, in each of its lists', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => (world = new BookingWorld(seed)), 24)).toEqual({ failed: [], least: undefined });
});
