import { refTo } from './json-schema.ts';
import type { JsonSchema, Named } from './json-schema.ts';

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const decimal = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$', description: 'a decimal number in a string' } as const;
const idText = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,8}$',
  description: 'a whole number above 0, in a string',
} as const;
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An object with exactly these properties. */
function exactly(properties: Named): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** An object with some of these properties, for PATCH. */
export const partly = (schema: JsonSchema): JsonSchema => {
  const { required: _, ...rest } = schema;
  return { ...rest, minProperties: 1 };
};

const title = { type: 'string', minLength: 1, maxLength: 200 } as const;
const state = { type: 'string', enum: ['backlog', 'todo', 'doing', 'done'] } as const;
const priority = { type: 'integer', minimum: 0, maximum: 3, description: '0 is low, 3 is urgent' } as const;
const kind = { type: 'string', enum: ['bug', 'feature', 'chore'] } as const;
const role = { type: 'string', enum: ['lead', 'member', 'guest'] } as const;
const userName = { type: 'string', minLength: 1, maxLength: 100 } as const;

export const drafts = {
  post: {
    type: 'object',
    properties: {
      title,
      body: { type: 'string', maxLength: 10_000 },
      authorId: idText,
      tagIds: { type: 'array', items: idText, maxItems: 20 },
    },
    required: ['title', 'authorId'],
    additionalProperties: false,
  },
  comment: {
    type: 'object',
    properties: { content: { type: 'string', minLength: 1, maxLength: 2_000 }, commenterId: idText },
    required: ['content', 'commenterId'],
    additionalProperties: false,
  },
  todo: {
    type: 'object',
    properties: { userId: { type: 'integer', minimum: 1, maximum: 999_999_999 }, title, completed: flag },
    required: ['userId', 'title'],
    additionalProperties: false,
  },
  user: { type: 'object', properties: { name: userName }, required: ['name'], additionalProperties: false },
  item: {
    type: 'object',
    properties: { name: title, quantity: { type: 'integer', minimum: 0, maximum: 1_000_000 } },
    required: ['name', 'quantity'],
    additionalProperties: false,
  },
  team: {
    type: 'object',
    properties: { name: userName, parentId: { type: 'integer', minimum: 1, maximum: 999_999_999 } },
    additionalProperties: false,
  },
  issue: {
    type: 'object',
    properties: {
      title,
      body: { type: 'string', maxLength: 10_000 },
      state,
      priority,
      kind,
      assigneeId: { ...idText, type: ['string', 'null'] },
    },
    required: ['title'],
    additionalProperties: false,
  },
  issueComment: exactly({ body: { type: 'string', minLength: 1, maxLength: 2_000 } }),
  membership: exactly({ teamId: whole, userId: whole, role }),
  role: exactly({ role }),
  profile: {
    type: 'object',
    properties: {
      full_name: userName,
      preferred_display_name: userName,
      home_address: exactly({ street_name: userName, postal_code: { type: 'string', minLength: 1, maxLength: 20 } }),
      phone_numbers: {
        type: 'array',
        maxItems: 10,
        items: exactly({
          country_code: { type: 'string', maxLength: 5 },
          local_number: { type: 'string', maxLength: 20 },
        }),
      },
      last_seen_at: { type: ['string', 'null'], format: 'date-time' },
    },
    required: ['full_name', 'preferred_display_name', 'home_address', 'phone_numbers', 'last_seen_at'],
    additionalProperties: false,
  },
  simulation: {
    type: 'object',
    properties: {
      latency: {
        type: ['integer', 'array'],
        minimum: 0,
        maximum: 60_000,
        items: { type: 'integer', minimum: 0, maximum: 60_000 },
        maxItems: 100,
      },
      failRate: { type: 'number', minimum: 0, maximum: 1 },
      failNext: { type: 'integer', minimum: 0, maximum: 1_000 },
      failStatus: { type: 'integer', minimum: 400, maximum: 599 },
      failAt: { type: 'string', enum: ['before', 'after'] },
      methods: { type: 'array', items: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } },
      offline: flag,
      seed: { type: 'integer', minimum: 0, maximum: 2 ** 31 },
    },
    additionalProperties: false,
  },
} as const satisfies Named;

const level: JsonSchema = { type: 'array', items: decimal, maxItems: 2, description: 'price and size' };

/** The schemas of all answers, by name. */
export const components: Named = {
  UserRef: exactly({ id: idText, name: text }),
  User: exactly({ id: idText, name: text, username: text, createdAt: instant }),
  UserWithPosts: exactly({ id: idText, name: text, username: text, createdAt: instant, posts: listOf(refTo('Post')) }),
  Tag: exactly({ id: idText, name: text }),
  Comment: exactly({ id: idText, content: text, createdAt: instant, commenter: refTo('UserRef') }),
  Post: exactly({
    id: idText,
    title: text,
    body: text,
    votes: whole,
    createdAt: instant,
    author: refTo('UserRef'),
    tags: listOf(refTo('Tag')),
    comments: listOf(refTo('Comment')),
  }),
  FlatPost: exactly({
    id: idText,
    title: text,
    body: text,
    votes: whole,
    createdAt: instant,
    authorId: idText,
    tagIds: listOf(idText),
    commentIds: listOf(idText),
  }),
  FlatComment: exactly({ id: idText, content: text, createdAt: instant, postId: idText, commenterId: idText }),
  Todo: exactly({ id: whole, userId: whole, title: text, completed: flag }),
  Team: exactly({ id: whole, parentId: { type: ['integer', 'null'] }, name: text }),
  Membership: exactly({ id: whole, teamId: whole, userId: whole, role }),
  Issue: exactly({
    id: idText,
    title: text,
    body: text,
    state,
    priority,
    kind,
    author: refTo('UserRef'),
    assignee: { ...exactly({ id: idText, name: text }), type: ['object', 'null'] },
    comments: whole,
    createdAt: instant,
    updatedAt: instant,
  }),
  IssueComment: exactly({
    id: idText,
    body: text,
    createdAt: instant,
    author: refTo('UserRef'),
    issue: exactly({ id: idText, comments: whole }),
  }),
  Activity: exactly({
    id: idText,
    at: instant,
    action: { type: 'string', enum: ['created', 'title', 'body', 'state', 'priority', 'kind', 'assignee', 'comment'] },
    detail: text,
    person: refTo('UserRef'),
    issue: exactly({ id: idText, title: text }),
  }),
  Currency: exactly({ id: text, name: text }),
  Stats: exactly({ product_id: text, price: number, volume: number, volume_usd: number }),
  ExchangePrice: exactly({ exchangePair: text, price: decimal, updatedAt: instant }),
  Ticker: exactly({
    trade_id: whole,
    price: decimal,
    size: decimal,
    time: instant,
    bid: decimal,
    ask: decimal,
    volume: decimal,
  }),
  OrderBook: exactly({ sequence: whole, bids: listOf(level), asks: listOf(level) }),
  Stream: exactly({ title: text, game: text, current_viewers: whole, live: flag }),
  Profile: {
    ...drafts.profile,
    properties: { id: whole, ...drafts.profile.properties },
    required: ['id', ...drafts.profile.required],
  },
  File: exactly({ id: text, name: { type: ['string', 'null'] }, type: text, size: whole }),
  Item: exactly({ id: whole, name: text, warehouse: text, quantity: whole, price: decimal, updatedAt: instant }),
  Simulation: { ...drafts.simulation, required: Object.keys(drafts.simulation.properties) },
  Health: exactly({ status: text, database: text, rows: whole }),
  Problem: {
    type: 'object',
    properties: {
      type: text,
      title: text,
      status: whole,
      detail: text,
      instance: text,
      errors: listOf(exactly({ pointer: text, detail: text })),
    },
    required: ['type', 'title', 'status', 'detail', 'instance'],
    additionalProperties: false,
  },
};

export const list = (name: string): JsonSchema => listOf(refTo(name));
export const pageOfCursor = (name: string): JsonSchema =>
  exactly({ results: listOf(refTo(name)), nextCursor: { type: ['string', 'null'] } });
export const listWithTotal = (name: string): JsonSchema => exactly({ items: listOf(refTo(name)), total: whole });
