import { expect, test } from 'vitest';
import { Collection, Entity, Store } from '../../src/index.ts';
import { Post, User } from '../model.ts';
import { Random } from '../oracle/random.ts';

/** Something on a calendar, which shows a list for each week. */
class Appointment extends Entity {
  id = '';
  day = 0;
  static override key = 'MovedAppointment';
}

const byDay = (one: Appointment, other: Appointment): number =>
  one.day - other.day || (one.id < other.id ? -1 : Number(one.id !== other.id));
const weekOf = ({ day }: { readonly day: number }): number => Math.floor(day / 7);
const days = (list: readonly Appointment[] | undefined): string | undefined =>
  list?.map(({ id, day }) => `${id}${day}`).join(' ');

test('posts in the order of the names of their authors are in this order after an author of several posts is renamed', () => {
  const list = new Collection([Post], {
    orderBy: (one: Post, other: Post) => one.author.name.localeCompare(other.author.name),
  });
  const store = new Store();
  const post = (id: string, author: object): object => ({ id, author });
  const zoe = { id: '3', name: 'Zoe' };
  const [bea, cleo] = [
    { id: '1', name: 'Bea' },
    { id: '2', name: 'Cleo' },
  ];
  store.write(list, [post('a', bea), post('b', cleo), post('c', zoe), post('d', zoe), post('e', zoe), post('f', zoe)]);
  store.write(User, { id: '3', name: 'Abe' });
  expect(store.get(list, {})?.map(({ author }) => author.name)).toEqual(['Abe', 'Abe', 'Abe', 'Abe', 'Bea', 'Cleo']);
});

test('records that one answer moves are in the order of their list', () => {
  const list = new Collection([Appointment], { orderBy: byDay });
  const store = new Store();
  store.write(list, [
    { id: 'a', day: 2 },
    { id: 'b', day: 5 },
    { id: 'c', day: 5 },
  ]);
  store.write(
    [Appointment],
    [
      { id: 'a', day: 5 },
      { id: 'c', day: 4 },
    ],
  );
  expect(days(store.get(list, {}))).toBe('c4 a5 b5');
});

test('a record is moved to its place also if another one leaves the list at the same time', () => {
  const list = new Collection([Appointment], { orderBy: byDay, where: { week: weekOf } });
  const store = new Store();
  const week = { args: [{ week: 0 }] };
  store.write(
    list,
    [
      { id: 'a', day: 1 },
      { id: 'f', day: 2 },
      { id: 'c', day: 3 },
      { id: 'd', day: 4 },
      { id: 'b', day: 5 },
      { id: 'e', day: 6 },
    ],
    week,
  );
  store.write(
    [Appointment],
    [
      { id: 'c', day: 5 },
      { id: 'd', day: 8 },
    ],
  );
  expect(days(store.get(list, { week: 0 }))).toBe('a1 f2 b5 c5 e6');
});

test('in random answers that change the days of several appointments, each list has its members in order', () => {
  const random = new Random(1);
  for (let history = 0; history < 300; history++) {
    const list = new Collection([Appointment], { orderBy: byDay, where: { week: weekOf } });
    const store = new Store();
    const made = Array.from({ length: 3 + random.below(6) }, (_, at) => ({
      id: 'abcdefghi'.charAt(at),
      day: random.below(14),
    }));
    const inWeek = (week: number) =>
      made.filter((one) => weekOf(one) === week).sort((one, other) => byDay(one as Appointment, other as Appointment));
    for (const week of [0, 1]) store.write(list, inWeek(week), { args: [{ week }] });
    store.write(list, [0, 1].flatMap(inWeek), { args: [{}] });
    for (let answer = 0; answer < 3; answer++) {
      const changed = made.filter(() => random.chance(0.6));
      for (const one of changed) one.day = random.below(14);
      store.write(
        [Appointment],
        changed.map((one) => ({ ...one })),
      );
      const seen = [{ week: 0 }, { week: 1 }, {}].map((args) => days(store.get(list, args)));
      const text = (all: readonly object[]) => days(all as Appointment[]);
      expect(seen).toEqual([text(inWeek(0)), text(inWeek(1)), text([0, 1].flatMap(inWeek))]);
    }
  }
});

test('many records that one answer moves cost a few copies of the list', () => {
  let compared = 0;
  const list = new Collection([Appointment], { orderBy: (one, other) => (compared++, byDay(one, other)) });
  const store = new Store();
  const all = Array.from({ length: 2000 }, (_, at) => ({ id: `${at + 1000}`, day: at }));
  store.write(list, all);
  store.write(
    [Appointment],
    all.map(({ id, day }) => ({ id, day: 2000 - day })),
  );
  expect(store.get(list, {})?.map(({ day }) => day)).toEqual(all.map(({ day }) => day + 1));
  // One for each record to see whether it moves, and a binary search for each.
  expect(compared).toBeLessThan(2000 * 13);
});
