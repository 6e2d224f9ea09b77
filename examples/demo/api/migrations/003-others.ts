/** Streams, profiles, files, answers by idempotency key, and the number of generated rows. */
export const others = `
create table stream (
  username text primary key,
  title text not null,
  game text not null,
  current_viewers integer not null,
  live boolean not null
);
create table profile (
  id integer primary key,
  document jsonb not null
);
create table file (
  id text primary key,
  name text,
  type text not null,
  bytes bytea not null
);
create table answered (
  key text primary key,
  request text not null,
  status integer,
  headers jsonb,
  body text,
  at timestamptz not null default now()
);
create table seeded (
  rows integer not null,
  version integer not null
);
`;
