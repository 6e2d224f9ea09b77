import { describe, expect, it } from 'vitest';
import { sentenceOf } from './thrown.ts';

describe('the sentence of a thrown value', () => {
  it.each([
    [new Error('no'), 'no.'],
    [new Error('Give a number.'), 'Give a number.'],
    [new Error('Why?'), 'Why?'],
    ['a text', 'a text.'],
  ])('ends with one mark: %s', (value, sentence) => {
    expect(sentenceOf(value)).toBe(sentence);
  });
});
