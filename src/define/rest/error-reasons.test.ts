import { expect, test } from 'vitest';
import { reasonsOf } from './error-reasons.ts';

test.each<[string, unknown, string | undefined, Record<string, string[]> | undefined]>([
  [
    'problem details',
    { type: '/no-credit', title: 'No credit', detail: 'Your balance is 30.' },
    'Your balance is 30.',
    undefined,
  ],
  ['a problem with a title alone', { title: 'No credit', status: 403 }, 'No credit', undefined],
  [
    'a problem with the parameters that are wrong',
    { title: 'Invalid', 'invalid-params': [{ name: 'age', reason: 'must be positive' }] },
    'Invalid',
    { age: ['must be positive'] },
  ],
  [
    'ASP.NET',
    { title: 'One or more validation errors occurred.', status: 400, errors: { Title: ['Too short.', 'Too plain.'] } },
    'One or more validation errors occurred.',
    { Title: ['Too short.', 'Too plain.'] },
  ],
  [
    'JSON:API',
    {
      errors: [
        {
          status: '422',
          title: 'Invalid',
          detail: 'Title is too short.',
          source: { pointer: '/data/attributes/title' },
        },
        { title: 'Unknown', source: { pointer: '/data/relationships/author' } },
        { detail: 'No such page.', source: { parameter: 'page' } },
        { detail: 'Closed.', source: { pointer: '/data' } },
        { detail: 'No such city.', source: { pointer: '/data/attributes/address/city' } },
      ],
    },
    'Closed.; title: Title is too short.; author: Unknown; page: No such page.; address.city: No such city.',
    {
      title: ['Title is too short.'],
      author: ['Unknown'],
      page: ['No such page.'],
      'address.city': ['No such city.'],
    },
  ],
  [
    'OData 4',
    {
      error: {
        code: '400',
        message: 'Multiple errors',
        details: [
          { code: 'A', message: 'Value is required', target: 'title' },
          { message: 'Too long', target: 'in/descr' },
        ],
      },
    },
    'Multiple errors',
    { title: ['Value is required'], descr: ['Too long'] },
  ],
  ['OData 4 with a target', { error: { message: 'Required', target: 'title' } }, 'Required', { title: ['Required'] }],
  ['OData 2', { error: { code: '', message: { lang: 'en', value: 'Not found' } } }, 'Not found', undefined],
  [
    'WordPress',
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): title',
      data: { status: 400, params: { title: 'title is not of type string.' } },
    },
    'Invalid parameter(s): title',
    { title: ['title is not of type string.'] },
  ],
  [
    'Rails with the messages of fields',
    { errors: { title: ["can't be blank"], base: ['Closed'], author: { name: ['is too short'] } } },
    "Closed; title: can't be blank; author.name: is too short",
    { title: ["can't be blank"], 'author.name': ['is too short'] },
  ],
  [
    'Rails with the fields alone',
    { title: ["can't be blank"] },
    "title: can't be blank",
    { title: ["can't be blank"] },
  ],
  [
    'Redmine',
    { errors: ['Subject cannot be blank', 'Tracker is invalid'] },
    'Subject cannot be blank; Tracker is invalid',
    undefined,
  ],
  ['Rails of its own', { status: 404, error: 'Not Found' }, 'Not Found', undefined],
  [
    'Django',
    { non_field_errors: ['Already there.'], title: ['This field is required.'] },
    'Already there.; title: This field is required.',
    { title: ['This field is required.'] },
  ],
  ['Django of its own', { detail: 'Not found.' }, 'Not found.', undefined],
  [
    'Laravel',
    { message: 'The title field is required.', errors: { title: ['The title field is required.'] } },
    'The title field is required.',
    { title: ['The title field is required.'] },
  ],
  ['Symfony', { violations: [{ propertyPath: 'title', message: 'Blank' }] }, 'title: Blank', { title: ['Blank'] }],
  [
    'a list of issues',
    { errors: [{ path: ['tags', 0], message: 'Not text' }] },
    'tags.0: Not text',
    { 'tags.0': ['Not text'] },
  ],
  [
    'Spring',
    { status: 400, error: 'Bad Request', errors: [{ field: 'title', defaultMessage: 'Blank', code: 'NotBlank' }] },
    'Bad Request',
    { title: ['Blank'] },
  ],
  [
    'FastAPI',
    {
      detail: [
        { loc: ['body', 'tags', 0], msg: 'Field required', type: 'missing' },
        { loc: ['id'], msg: 'Too large' },
      ],
    },
    'tags.0: Field required; id: Too large',
    { 'tags.0': ['Field required'], id: ['Too large'] },
  ],
  ['NestJS', { statusCode: 400, message: ['title is empty'], error: 'Bad Request' }, 'title is empty', undefined],
  ['Zod', { issues: [{ path: ['title'], message: 'Required' }] }, 'title: Required', { title: ['Required'] }],
  [
    'Zod, flattened',
    { formErrors: ['Closed'], fieldErrors: { title: ['Required'] } },
    'Closed; title: Required',
    { title: ['Required'] },
  ],
  [
    'Zod, as a tree',
    {
      errors: ['Closed'],
      properties: { title: { errors: ['Required'] }, tags: { errors: [], items: [null, { errors: ['Not text'] }] } },
    },
    'Closed; title: Required; tags.1: Not text',
    { title: ['Required'], 'tags.1': ['Not text'] },
  ],
  [
    'Zod, as a tree in a member',
    { errors: { errors: [], properties: { errors: { errors: ['Blank'] } } } },
    'errors: Blank',
    { errors: ['Blank'] },
  ],
  ['one text for all', { errors: 'Not today' }, 'Not today', undefined],
  [
    'Django, of records in records',
    { title: ['Required'], owner: { name: ['Blank'] } },
    'title: Required; owner.name: Blank',
    { title: ['Required'], 'owner.name': ['Blank'] },
  ],
  ['a list alone', ['One', { message: 'Two' }, 3], 'One; Two', undefined],
  ['CouchDB', { error: 'not_found', reason: 'missing' }, 'missing', undefined],
  [
    'OAuth',
    { error: 'invalid_grant', error_description: 'The token has expired.' },
    'The token has expired.',
    undefined,
  ],
  ['a text', 'Not Found', undefined, undefined],
  ['nothing', undefined, undefined, undefined],
  ['null', null, undefined, undefined],
  ['an empty message', { message: ' ' }, undefined, undefined],
  [
    'a pointer into the body',
    { errors: [{ title: 'Blank', source: { pointer: '/title' } }] },
    'title: Blank',
    { title: ['Blank'] },
  ],
  ['numbers instead of texts', { errors: { title: [5] } }, undefined, undefined],
  ['an error with a code alone', { errors: [{ code: 'E1' }] }, undefined, undefined],
  ['a text that is JSON', { message: '404' }, '404', undefined],
  ['texts for one field', { errors: { title: ['no', 'never'] } }, 'title: no, never', { title: ['no', 'never'] }],
  ['FastAPI, of the whole body', { detail: [{ loc: ['body'], msg: 'no' }] }, 'no', undefined],
  [
    'fields named like parts of a request or of a document',
    {
      errors: [
        { path: ['query'], message: 'a' },
        { path: 'data.size', message: 'b' },
        { path: 'attributes.color', message: 'c' },
      ],
    },
    'query: a; data.size: b; attributes.color: c',
    { query: ['a'], 'data.size': ['b'], 'attributes.color': ['c'] },
  ],
  ['Rails, of a field named body', { errors: { body: ['is empty'] } }, 'body: is empty', { body: ['is empty'] }],
  [
    'a missing field that has no other path',
    { errors: [{ params: { missingProperty: 'title' }, message: 'is required' }] },
    'title: is required',
    { title: ['is required'] },
  ],
  ['an empty object', {}, undefined, undefined],
  ['data without reasons', { id: 5, tags: [] }, undefined, undefined],
])('the message of %s is the text that is meant for users', (_of, data, message, fieldErrors) => {
  expect(reasonsOf(data)).toEqual({ message, fieldErrors });
});

test('a field may have any name, and an error any depth and length', () => {
  const { fieldErrors } = reasonsOf(JSON.parse('{"errors":{"__proto__":["no"]}}'));
  expect(Object.entries(fieldErrors ?? {})).toEqual([['__proto__', ['no']]]);
  expect(({} as { no?: unknown }).no).toBe(undefined);
  let deep: object = { end: ['no'] };
  for (let depth = 0; depth < 10_000; depth++) deep = { deep };
  expect(reasonsOf({ errors: deep })).toEqual({ message: undefined, fieldErrors: undefined });
  let tree: object = { errors: ['no'] };
  for (let depth = 0; depth < 10_000; depth++) tree = { errors: [], properties: { tree } };
  expect(reasonsOf(tree)).toEqual({ message: undefined, fieldErrors: undefined });
  let lists: unknown = 'no';
  for (let depth = 0; depth < 10_000; depth++) lists = [lists];
  expect(reasonsOf({ errors: lists })).toEqual({ message: undefined, fieldErrors: undefined });
  expect(reasonsOf({ message: 'x'.repeat(5000) }).message).toHaveLength(1000);
  expect(reasonsOf(Array.from({ length: 5000 }, (_, at) => `${at}`)).message).toHaveLength(1000);
});
