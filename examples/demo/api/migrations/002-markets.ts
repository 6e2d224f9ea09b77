/** Currencies, what happened to them in 24 hours, and ten thousand items of an inventory. */
export const markets = `
create table currency (
  id text primary key,
  name text not null,
  base_price numeric(38, 18) not null
);
create table stats (
  product_id text primary key,
  price double precision not null,
  volume double precision not null,
  volume_usd double precision not null
);
create table item (
  id integer primary key,
  name text not null,
  warehouse text not null,
  quantity integer not null,
  price numeric(12, 2) not null,
  updated_at timestamptz not null
);
create index on item (warehouse);
`;
