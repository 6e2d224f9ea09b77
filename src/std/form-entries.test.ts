import { expect, it } from 'vitest';
import { formEntries } from './form-entries.ts';

it('formEntries() returns the entries of a form, also of a form of React Native, which is not iterable', () => {
  const form = new FormData();
  form.append('title', 'x');
  expect([...formEntries(form)]).toEqual([['title', 'x']]);
  const photo = { uri: 'file:///photo.jpg', name: 'photo.jpg', type: 'image/jpeg' };
  const bare: unknown = { _parts: [['photo', photo]] };
  expect([...formEntries(bare as FormData)]).toEqual([['photo', photo]]);
});
