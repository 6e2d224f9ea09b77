import { expect, test } from 'vitest';
import { reasonsOf } from './error-reasons.ts';

/** The bodies of errors about the fields `title` and `tags.0` or `owner.name`, as servers send them, and the texts that they have for each. */
const bodies: Record<string, readonly [unknown, Record<string, string>]> = {
  GitHub: [
    {
      message: 'Validation Failed',
      errors: [
        { resource: 'Issue', field: 'title', code: 'missing_field' },
        { resource: 'Issue', code: 'custom', field: 'due', message: 'due is past' },
      ],
      documentation_url: 'https://docs.github.com/rest',
    },
    { title: 'missing_field', due: 'due is past' },
  ],
  GitLab: [{ message: { title: ["can't be blank"] } }, { title: "can't be blank" }],
  Stripe: [
    {
      error: {
        code: 'parameter_missing',
        doc_url: 'https://stripe.com/docs/error-codes',
        message: 'Missing required param: title.',
        param: 'title',
        type: 'invalid_request_error',
      },
    },
    { title: 'Missing required param: title.' },
  ],
  'Stripe, of a nested parameter': [
    { error: { message: 'Invalid name', param: 'owner[name]', type: 'invalid_request_error' } },
    { 'owner.name': 'Invalid name' },
  ],
  Google: [
    {
      error: {
        code: 400,
        message: 'Request contains an invalid argument.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'BAD',
            domain: 'x',
            metadata: { service: 'y' },
          },
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [
              { field: 'title', description: 'Must be set' },
              { field: 'tags[0]', description: 'Too long' },
            ],
          },
        ],
      },
    },
    { title: 'Must be set', 'tags.0': 'Too long' },
  ],
  'vnd.error': [
    {
      message: 'Validation failed',
      logref: 42,
      path: '/tasks',
      total: 1,
      _links: { help: { href: '/help' }, self: { href: '/tasks' } },
      _embedded: {
        errors: [
          { message: '"title" is blank', logref: 43, path: '/title', _links: { about: { href: '/about' } } },
          { message: 'is too long', path: '/tags/0' },
        ],
      },
    },
    { title: '"title" is blank', 'tags.0': 'is too long' },
  ],
  'Strapi 4 and 5': [
    {
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: '2 errors occurred',
        details: {
          errors: [
            { path: ['title'], message: 'title must be defined.', name: 'ValidationError', value: '' },
            { path: ['owner', 'name'], message: 'name is short', name: 'ValidationError' },
          ],
        },
      },
    },
    { title: 'title must be defined.', 'owner.name': 'name is short' },
  ],
  Directus: [
    {
      errors: [
        {
          message: 'Validation failed for field "title". Value is required.',
          extensions: { field: 'title', path: [], type: 'nnull', code: 'FAILED_VALIDATION' },
        },
      ],
    },
    { title: 'Validation failed for field "title". Value is required.' },
  ],
  PocketBase: [
    {
      status: 400,
      message: 'Failed to create record.',
      data: { title: { code: 'validation_required', message: 'Missing required value.' } },
    },
    { title: 'Missing required value.' },
  ],
  'Payload CMS': [
    {
      errors: [
        {
          name: 'ValidationError',
          message: 'The following field is invalid: Title',
          data: {
            collection: 'notes',
            errors: [{ label: 'Title', message: 'This field is required.', path: 'title' }],
          },
        },
      ],
    },
    { title: 'This field is required.' },
  ],
  'LoopBack 4': [
    {
      error: {
        statusCode: 422,
        name: 'UnprocessableEntityError',
        message: 'The request body is invalid. See error object `details` property for more info.',
        code: 'VALIDATION_FAILED',
        details: [
          { path: '', code: 'required', message: 'must be there', info: { missingProperty: 'title' } },
          { path: '/tags/0', code: 'type', message: 'must be string', info: { type: 'string' } },
          { path: '', code: 'additionalProperties', message: 'not allowed', info: { additionalProperty: 'colour' } },
        ],
      },
    },
    { title: 'must be there', 'tags.0': 'must be string', colour: 'not allowed' },
  ],
  'LoopBack 3': [
    {
      error: {
        statusCode: 422,
        name: 'ValidationError',
        message: 'The `Note` instance is not valid.',
        details: { context: 'Note', codes: { title: ['presence'] }, messages: { title: ["can't be blank"] } },
      },
    },
    { title: "can't be blank" },
  ],
  Eve: [
    {
      _status: 'ERR',
      _issues: { title: 'required field', owner: { name: ['min length is 3'] } },
      _error: { code: 422, message: 'Insertion failure: 1 document(s) contain(s) error(s)' },
    },
    { title: 'required field', 'owner.name': 'min length is 3' },
  ],
  Mongoose: [
    {
      errors: {
        title: {
          name: 'ValidatorError',
          message: 'Path `title` is required.',
          properties: { message: 'Path `title` is required.', type: 'required', path: 'title' },
          kind: 'required',
          path: 'title',
        },
        'tags.0': { name: 'CastError', message: 'Cast to string failed', path: '0', valueType: 'Object' },
      },
      _message: 'Note validation failed',
      message: 'Note validation failed: title: Path `title` is required.',
    },
    { title: 'Path `title` is required.', 'tags.0': 'Cast to string failed' },
  ],
  Zod: [
    {
      success: false,
      error: {
        name: 'ZodError',
        issues: [
          { code: 'too_small', path: ['title'], message: 'Required' },
          { code: 'invalid_type', path: ['tags', 0], message: 'Expected text' },
        ],
      },
    },
    { title: 'Required', 'tags.0': 'Expected text' },
  ],
  'Zod 4 of Hono, whose error is JSON in JSON': [
    {
      success: false,
      error: { name: 'ZodError', message: '[\n  { "code": "too_small", "path": ["title"], "message": "Required" }\n]' },
    },
    { title: 'Required' },
  ],
  'Zod, flattened': [{ error: { formErrors: [], fieldErrors: { title: ['Required'] } } }, { title: 'Required' }],
  'Zod, formatted': [
    { _errors: [], title: { _errors: ['Required'] }, owner: { _errors: [], name: { _errors: ['Short'] } } },
    { title: 'Required', 'owner.name': 'Short' },
  ],
  'Ajv of Fastify and Feathers': [
    {
      name: 'BadRequest',
      message: 'validation failed',
      code: 400,
      className: 'bad-request',
      data: [
        {
          instancePath: '',
          schemaPath: '#/required',
          keyword: 'required',
          params: { missingProperty: 'title' },
          message: "must have required property 'title'",
        },
        { instancePath: '/owner', keyword: 'required', params: { missingProperty: 'name' }, message: 'must be there' },
        { instancePath: '/tags/0', keyword: 'type', params: { type: 'string' }, message: 'must be string' },
      ],
    },
    { title: "must have required property 'title'", 'owner.name': 'must be there', 'tags.0': 'must be string' },
  ],
  Valibot: [
    {
      issues: [
        {
          kind: 'schema',
          type: 'string',
          message: 'Invalid type',
          path: [
            { type: 'object', key: 'owner', value: {} },
            { type: 'object', key: 'name' },
          ],
        },
        { kind: 'validation', message: 'Too long', path: [{ key: 'tags' }, { key: 0 }] },
      ],
    },
    { 'owner.name': 'Invalid type', 'tags.0': 'Too long' },
  ],
  Fastify: [
    {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message:
        "body/title must be short, and must be kind, body must have required property 'due', body/owner must have required property 'name', body/tags/0 must be string, body must be object",
    },
    {
      title: 'must be short, and must be kind',
      due: "must have required property 'due'",
      'owner.name': "must have required property 'name'",
      'tags.0': 'must be string',
    },
  ],
  'Fastify with a text of the application': [
    {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      message: "Choose a plan, then go on, body/title must be 'a', 'b' or 'c'",
    },
    { title: "must be 'a', 'b' or 'c'" },
  ],
  Joi: [
    {
      details: [
        {
          message: '"title" is required',
          path: ['title'],
          type: 'any.required',
          context: { label: 'title', key: 'title' },
        },
      ],
      _original: { title: '' },
    },
    { title: '"title" is required' },
  ],
  Yup: [
    {
      name: 'ValidationError',
      message: '2 errors occurred',
      errors: [],
      inner: [{ name: 'ValidationError', path: 'tags[0]', message: 'too long', errors: ['too long'], inner: [] }],
    },
    { 'tags.0': 'too long' },
  ],
  'express-validator': [
    { errors: [{ type: 'field', value: '', msg: 'Invalid value', path: 'title', location: 'body' }] },
    { title: 'Invalid value' },
  ],
  'express-openapi-validator': [
    { message: 'request.body', errors: [{ path: '/body/title', message: 'is blank', errorCode: 'minLength.openapi' }] },
    { title: 'is blank' },
  ],
  'class-validator of NestJS': [
    {
      statusCode: 400,
      message: [
        {
          target: { title: '' },
          value: '',
          property: 'title',
          children: [],
          constraints: { isNotEmpty: 'title is empty' },
        },
      ],
      error: 'Bad Request',
    },
    { title: 'title is empty' },
  ],
  Sequelize: [
    {
      name: 'SequelizeValidationError',
      errors: [{ message: 'Note.title cannot be null', type: 'notNull Violation', path: 'title', value: null }],
    },
    { title: 'Note.title cannot be null' },
  ],
  FastAPI: [
    {
      detail: [
        { type: 'missing', loc: ['body', 'title'], msg: 'Field required', input: {} },
        { type: 'string_type', loc: ['body', 'tags', 0], msg: 'Input should be a valid string' },
      ],
    },
    { title: 'Field required', 'tags.0': 'Input should be a valid string' },
  ],
  'FastAPI with a detail of its own': [{ detail: { field: 'title', message: 'Taken' } }, { title: 'Taken' }],
  'Django REST': [
    { non_field_errors: ['Closed.'], title: ['This field is required.'], owner: { name: ['Blank.'] } },
    { title: 'This field is required.', 'owner.name': 'Blank.' },
  ],
  'Django REST, of records in a list': [
    { items: [{}, { title: ['This field is required.'] }] },
    { 'items.1.title': 'This field is required.' },
  ],
  'Django REST, of a field that is named as a place of errors': [
    { message: ['This field is required.'], title: ['Blank.'] },
    { message: 'This field is required.', title: 'Blank.' },
  ],
  'Django, by drf-standardized-errors': [
    { type: 'validation_error', errors: [{ code: 'required', detail: 'This field is required.', attr: 'title' }] },
    { title: 'This field is required.' },
  ],
  'Flask with webargs': [
    { code: 422, status: 'Unprocessable Entity', errors: { json: { title: ['Missing data.'] } } },
    { title: 'Missing data.' },
  ],
  'Flask-RESTful': [{ message: { title: 'is missing', name: 'too long' } }, { title: 'is missing', name: 'too long' }],
  'Flask-RESTX': [
    { errors: { title: "'title' is a required property" }, message: 'Input payload validation failed' },
    { title: "'title' is a required property" },
  ],
  Laravel: [
    { message: 'The title is required. (and 1 more error)', errors: { title: ['Required.'], 'tags.0': ['Too long.'] } },
    { title: 'Required.', 'tags.0': 'Too long.' },
  ],
  CakePHP: [
    { message: 'Invalid', code: 422, errors: { title: { _empty: 'This field cannot be left empty' } } },
    { title: 'This field cannot be left empty' },
  ],
  Symfony: [
    {
      title: 'An error occurred',
      detail: 'title: blank',
      violations: [{ propertyPath: 'title', message: 'blank', code: 'c1' }],
    },
    { title: 'blank' },
  ],
  'ASP.NET': [
    {
      type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: { title: ['Required.'], '$.tags[0]': ['The JSON value could not be converted.'] },
      traceId: '00-1',
    },
    { title: 'Required.', 'tags.0': 'The JSON value could not be converted.' },
  ],
  'ASP.NET with names in PascalCase': [
    { Title: 'Invalid', Status: 400, Errors: { title: ['Required.'] }, TraceId: '00-1' },
    { title: 'Required.' },
  ],
  'ASP.NET Web API 2': [
    { Message: 'The request is invalid.', ModelState: { title: ['Required.'] } },
    { title: 'Required.' },
  ],
  'FluentValidation with names in PascalCase': [
    [{ PropertyName: 'title', ErrorMessage: 'Required.', AttemptedValue: '', ErrorCode: 'NotEmpty' }],
    { title: 'Required.' },
  ],
  FluentValidation: [
    [{ propertyName: 'title', errorMessage: 'Required.', attemptedValue: '', severity: 0, errorCode: 'NotEmpty' }],
    { title: 'Required.' },
  ],
  Rails: [{ errors: { title: ["can't be blank"], base: ['Closed'] } }, { title: "can't be blank" }],
  'Rails with the kinds of errors': [{ errors: { title: [{ error: 'blank' }] } }, { title: 'blank' }],
  Spring: [
    {
      timestamp: '2026-11-23T10:00:00Z',
      status: 400,
      error: 'Bad Request',
      path: '/api/notes',
      errors: [
        {
          codes: ['NotBlank.note.title', 'NotBlank'],
          arguments: [{ codes: ['note.title'], defaultMessage: 'title', code: 'title' }],
          defaultMessage: 'must not be blank',
          objectName: 'note',
          field: 'title',
          rejectedValue: '',
          code: 'NotBlank',
        },
      ],
    },
    { title: 'must not be blank' },
  ],
  'Spring Data REST': [
    { errors: [{ entity: 'Note', property: 'title', invalidValue: '', message: 'must not be blank' }] },
    { title: 'must not be blank' },
  ],
  Phoenix: [
    { errors: { title: ["can't be blank"], detail: ['is short'] } },
    { title: "can't be blank", detail: 'is short' },
  ],
  'problem details': [
    { type: '/invalid', title: 'Invalid', errors: [{ detail: 'must be set', pointer: '#/title' }] },
    { title: 'must be set' },
  ],
  PayPal: [
    {
      name: 'INVALID_REQUEST',
      message: 'Bad',
      details: [{ field: '/tags/0', issue: 'LONG', description: 'Too long' }],
    },
    { 'tags.0': 'Too long' },
  ],
  'PayPal without descriptions': [
    { name: 'INVALID_REQUEST', details: [{ field: 'title', issue: 'is too long', location: 'body', code: 'LONG' }] },
    { title: 'is too long' },
  ],
  Kubernetes: [
    {
      kind: 'Status',
      message: 'Invalid',
      reason: 'Invalid',
      details: { causes: [{ message: 'Required', field: 'title' }] },
    },
    { title: 'Required' },
  ],
  Discord: [
    { code: 50035, message: 'Invalid Form Body', errors: { title: { _errors: [{ code: 'X', message: 'Required' }] } } },
    { title: 'Required' },
  ],
  Jira: [{ errorMessages: [], errors: { title: 'You must specify a title.' } }, { title: 'You must specify a title.' }],
  Square: [
    { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD', detail: 'Too short', field: 'owner.name' }] },
    { 'owner.name': 'Too short' },
  ],
  'one field beside the text': [{ error: 'Already there', field: 'title' }, { title: 'Already there' }],
};

test.each(Object.entries(bodies))('the messages of the fields are read as %s sends them', (_server, [body, due]) => {
  const fieldErrors = Object.fromEntries(Object.entries(due).map(([field, text]) => [field, [text]]));
  expect(reasonsOf(body).fieldErrors).toEqual(fieldErrors);
});

test.each<[string, unknown, string | undefined]>([
  ['Phoenix', { errors: { detail: 'Not Found' } }, 'Not Found'],
  ['ASP.NET with names in PascalCase', { Title: 'Not found', Status: 404, Detail: 'No note 5.' }, 'No note 5.'],
  ['Zendesk', { error: 'RecordInvalid', description: 'Record validation errors' }, 'Record validation errors'],
  ['Jira', { errorMessages: ['No such issue.'], errors: {} }, 'No such issue.'],
  ['Eve', { _status: 'ERR', _error: { code: 404, message: 'Not here.' } }, 'Not here.'],
  ['OData 2', { error: { code: 'x', message: { lang: 'en', value: 'Closed' } } }, 'Closed'],
  ['a server that puts an error into its message', { message: { message: 'Closed', code: 'E1' } }, 'Closed'],
  ['a server that puts an error and its code into its message', { message: { error: 'Closed', code: 'E1' } }, 'Closed'],
  ['text that only begins as a list', { message: '[{x' }, '[{x'],
  ['Spring Data REST', { cause: { message: 'x' }, message: 'could not execute' }, 'could not execute'],
  ['Zod, as the error of Hono', { error: { message: '[{"path":[],"message":"Closed"}]' } }, 'Closed'],
])('the message about the whole request is read as %s sends it', (_server, body, message) => {
  expect(reasonsOf(body)).toEqual({ message, fieldErrors: undefined });
});

test.each<[string, object]>([
  [
    'a record beside its text',
    { message: 'Changed meanwhile', data: { id: 1, title: 'Mine', tags: ['a'], path: '/x' } },
  ],
  ['a record under another name', { message: 'Changed meanwhile', current: { errors: 5, title: ['Mine'] } }],
  ['records beside its text', { message: 'Changed meanwhile', data: [{ id: 1, title: 'Mine', name: 'x' }] }],
  ['links of HAL', { message: 'Closed', _links: { self: { href: '/x' } } }],
  ['the stack of a server', { message: 'Broken', stack: ['at x'], path: '/notes', name: 'Error', code: 'E1' }],
])('no field has an error in %s', (_what, body) => {
  expect(reasonsOf(body).fieldErrors).toBe(undefined);
  expect(reasonsOf(body).message).toBe(Object.values(body)[0]);
});

test('a step of a path that is not a text is left out', () => {
  const errors = [{ path: ['tags', { toString: 1 }, 0], message: 'Too long' }];
  expect(reasonsOf({ errors }).fieldErrors).toEqual({ 'tags.0': ['Too long'] });
});

test('of a list of errors the first thousand are read, so that a body of many records takes no time', () => {
  const errors = Array.from({ length: 1001 }, (_, at) => ({ field: `tags.${at}`, message: 'Too long' }));
  expect(Object.keys(reasonsOf({ errors }).fieldErrors ?? {})).toHaveLength(1000);
});
