import { describe, expect, it } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { Entity } from './entity.ts';
import { fieldFor, idIn, idOf, lacksPart, markOfTable } from './own-pk.ts';

class Booking extends Entity {
  hotelId = 0;
  number = 0;
  override pk(): string {
    return `${this.hotelId}/${this.number}`;
  }
  static override key = 'Booking';
}
class Page extends Entity {
  locale?: string;
  slug = '';
  override pk(): string {
    return `${this.locale ?? 'en'}/${this.slug}`;
  }
  static override key = 'Page';
}
class Room extends Entity {
  hotel = { id: 0 };
  number = 0;
  override pk(): string {
    return `${this.hotel.id.toFixed(0)}/${this.number}`;
  }
  static override key = 'Room';
}
const temporaryPk = (table: string): string => `temp:0123456789abcd${markOfTable(table)}:1`;
const temporary = temporaryPk('Booking');

describe('a pk that is made of several fields', () => {
  it('is no pk while one of them is missing', () => {
    expect(Booking.pk({ hotelId: 7, number: 3 })).toBe('7/3');
    expect(Booking.pk({ hotelId: 7 })).toBeUndefined();
    expect(Booking.pk({ number: 3 })).toBeUndefined();
    expect(Booking.pk({})).toBeUndefined();
  });

  it('is a pk if a field has the text undefined, or if pk() has a substitute for a missing one', () => {
    expect(Page.pk({ locale: 'de', slug: 'undefined-values' })).toBe('de/undefined-values');
    expect(Page.pk({ slug: 'undefined-values' })).toBe('en/undefined-values');
    expect(Page.pk({ locale: 'de' })).toBeUndefined();
  });

  it('is made of the temporary pk of another record like of any other field', () => {
    const hotelId = temporaryPk('Hotel');
    expect(Booking.pk({ hotelId, number: 5 })).toBe(`${hotelId}/5`);
    expect(Booking.pk({ hotelId, number: temporary })).toBe(temporary);
  });

  it('is the temporary pk while one of its fields has it', () => {
    expect(Booking.pk({ hotelId: 7, number: temporary })).toBe(temporary);
    expect(Booking.pk({ hotelId: 'temp:kitchen', number: 5 })).toBe('temp:kitchen/5');
  });

  it('lacks a field for which join() writes nothing', () => {
    const makePk = ({ a, b }: { readonly a?: unknown; readonly b?: unknown }): string => [a, b ?? 'none'].join();
    expect(lacksPart(',2', makePk, { b: 2 })).toBe(true);
    expect(lacksPart('1,2', makePk, { a: 1, b: 2 })).toBe(false);
    expect(lacksPart('1,none', makePk, { a: 1 })).toBe(false);
  });
});

describe('the field for a pk', () => {
  it('is the field that the record lacks', () => {
    expect(fieldFor(Post, {}, 'a')).toBe('id');
    expect(fieldFor(Booking, { hotelId: 7 }, temporary)).toBe('number');
    expect(fieldFor(Booking, { hotelId: '', number: 3 }, temporary)).toBe('hotelId');
  });

  it('is unknown if none is missing, if several are, or if pk() throws', () => {
    expect(fieldFor(Post, { id: '1' }, 'a')).toBeUndefined();
    expect(fieldFor(Booking, {}, temporary)).toBeUndefined();
    expect(fieldFor(Room, {}, temporary)).toBeUndefined();
  });
});

describe('what a server has in place of a temporary pk', () => {
  it('is the pk, as a number if it is one', () => {
    expect(idOf(Post, { id: 5 }, '5')).toBe(5);
    expect(idOf(Post, { id: 'a' }, 'a')).toBe('a');
    expect(idOf(Post, undefined, '5')).toBe('5');
    expect(idIn(5, 'postId')).toBe(5);
  });

  it('is the field of the same name, if the pk is made of several', () => {
    const id = idOf(Booking, { hotelId: 7, number: 3, title: 'a' }, '7/3');
    expect(['hotelId', 'number', 'title', 'bookingId'].map((name) => idIn(id, name))).toEqual([7, 3, '7/3', '7/3']);
  });

  it('has the object that the pk is made from', () => {
    const hotel = { id: 7 };
    expect(idOf(Room, { hotel, number: 3, title: 'a' }, '7/3')).toEqual({ hotel, number: 3, '': '7/3' });
    expect(idOf(Room, undefined, '7/3')).toEqual({ '': '7/3' });
  });
});
