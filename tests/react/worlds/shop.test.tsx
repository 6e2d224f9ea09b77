/** A shop: a cart whose quantities change fast, prices that change, stock that runs out, and a checkout that is a job of the server. */
import { type ReactNode, useEffect } from 'react';
import { expect, test } from 'vitest';
import { Entity, keyOf, type Manager, resource, RestEndpoint } from 'rejoin';
import { AsyncBoundary, useController, useMutation, useSubscription, useSuspense } from 'rejoin/react';
import type { Random } from '../random.ts';
import { Network } from './network.ts';
import { ShopServer } from './shop-server.ts';
import { pollingManagers } from './polling-managers.ts';
import { Button, playWorld, useChoice, useIsFresh, World } from './world.tsx';
import type { Watch } from './watch.ts';

const network = new Network();
const { platform } = network;

class Product extends Entity {
  id = '';
  name = '';
  price = 0;
  static override key = 'Product';
}
class Line extends Entity {
  id: number | string = 0;
  quantity = 0;
  product: Product | undefined = undefined;
  static override key = 'Line';
  static override schema = { product: Product };
}
class Job extends Entity {
  id = '';
  state = 'queued';
  static override key = 'Job';
}
class Order extends Entity {
  id = '';
  paid = 0;
  static override key = 'Order';
}

const products = resource({ path: '/products/:id', schema: Product, pollFrequency: 5000, platform });
const getTotals = new RestEndpoint({
  path: '/cart/totals',
  process: (value: { readonly pieces: number; readonly sum: number }) => value,
  pollFrequency: 5000,
  platform,
});
const lines = resource({
  path: '/cart/lines/:id',
  schema: Line,
  optimistic: true,
  serial: true,
  refetches: [getTotals],
  pollFrequency: 5000,
  platform,
});
const oneMore = new RestEndpoint({
  path: '/cart/lines/:id/more',
  method: 'POST',
  body: undefined,
  schema: Line,
  serial: true,
  refetches: [getTotals],
  getOptimisticResponse(snapshot, { id }) {
    const line = snapshot.get(Line, { id });
    if (line === undefined) throw snapshot.abort;
    return { id, quantity: line.quantity + 1 };
  },
  platform,
});
const orders = resource({ path: '/orders/:id', schema: Order, pollFrequency: 5000, platform });
const jobs = resource({ path: '/jobs/:id', schema: Job, platform });
const polledJob = jobs.get.extend({ pollFrequency: 300, dataExpiryLength: 300 });
/** The server answers 202 with the address of the job, and nothing else. */
const checkout = new RestEndpoint({
  path: '/checkout',
  method: 'POST',
  body: undefined,
  schema: Job,
  parseResponse: async ({ headers }) => ({ id: headers.get('Location')?.split('/').at(-1), state: 'queued' }),
  platform,
});

let watch: Watch;
let world: ShopWorld;
const pieceOf = (product: Product): string => ` p${product.id}:${product.price}`;

function CartLine({ line, onRemove }: { readonly line: Line; readonly onRemove: () => void }): ReactNode {
  const { mutate: edit } = useMutation(lines.partialUpdate);
  const { mutate: add } = useMutation(oneMore);
  const { id, quantity } = line;
  const record = `l${String(id).replaceAll(':', '.')}`;
  const note = (to: number, done: Promise<unknown>): void => {
    world.lastEdits.set(record, done);
    watch.edit(record, 0, `${to}`, done);
  };
  const set = (to: number): void => note(to, edit({ id }, { quantity: to }));
  /** If the edit before it fails, one more leads to another quantity. */
  const addOne = (): void => {
    const done = Promise.all([world.lastEdits.get(record) ?? true, add({ id })]);
    note(
      quantity + 1,
      done.then((answers) => (answers.includes(undefined) ? undefined : answers)),
    );
  };
  return (
    <p>
      {` ${record}:${quantity}`}
      {line.product && pieceOf(line.product)}
      <Button name={`plus ${id}`} onClick={() => set(quantity + 1)} />
      <Button name={`minus ${id}`} onClick={() => (quantity > 1 ? set(quantity - 1) : onRemove())} />
      <Button name={`more ${id}`} onClick={addOne} />
      <Button name={`remove ${id}`} onClick={onRemove} />
    </p>
  );
}

function Cart(): ReactNode {
  const cart = useSuspense(lines.getList);
  const totals = useSuspense(getTotals);
  const { mutate: remove } = useMutation(lines.delete);
  const due = cart.reduce((sum, { product, quantity }) => sum + quantity * (product?.price ?? 0), 0);
  return (
    <>
      {' lines['}
      {cart.map((line) => (
        <CartLine
          key={keyOf(line)}
          line={line}
          onRemove={() => watch.remove(`l${String(line.id).replaceAll(':', '.')}`, remove({ id: line.id }))}
        />
      ))}
      {`] ${due} ${totals.pieces} for ${totals.sum}`}
    </>
  );
}

function Checkout({ id }: { readonly id: string }): ReactNode {
  const { state } = useSuspense(jobs.get, { id });
  const isOver = state === 'done' || state === 'failed';
  const controller = useController();
  useSubscription(polledJob, isOver || useIsFresh() ? null : { id });
  useEffect(() => {
    const changed = [lines.getList, getTotals, orders.getList];
    if (isOver) void controller.expireAll({ testKey: (key) => changed.some((endpoint) => endpoint.testKey(key)) });
  }, [controller, isOver]);
  return ` j${id}:${state}`;
}

function Shelf(): ReactNode {
  const { mutate: create } = useMutation(lines.getList.push);
  const isFresh = useIsFresh();
  const all = useSuspense(products.getList);
  useSubscription(products.getList, ...(isFresh ? [null] : []));
  for (const polled of [getTotals, lines.getList, orders.getList]) useSubscription(polled, ...(isFresh ? [null] : []));
  return all.map((product) => (
    <p key={product.id}>
      {pieceOf(product)}
      <Button name={`add ${product.id}`} onClick={() => void create({ product: product.id, quantity: 1 })} />
    </p>
  ));
}

function Shop(): ReactNode {
  const [job, follow] = useChoice<string | undefined>('job', undefined);
  const { mutate: pay, isPending } = useMutation(checkout);
  const onPay = async (): Promise<void> => {
    const begun = await pay();
    if (begun) follow(begun.id);
    else world.isBehind = true;
  };
  return (
    <>
      <Shelf />
      <Cart />
      {!isPending && <Button name="checkout" onClick={() => void onPay()} />}
      {' orders['}
      {useSuspense(orders.getList).map(({ id, paid }) => ` o${id}:${paid}`)}
      {']'}
      <AsyncBoundary fallback=" waiting">{job !== undefined && <Checkout key={job} id={job} />}</AsyncBoundary>
    </>
  );
}

class ShopWorld extends World {
  readonly server = new ShopServer(network);
  readonly lastEdits = new Map<string, Promise<unknown>>();

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
  }

  override managers(): readonly Manager[] {
    return pollingManagers(network);
  }

  override get polls(): number {
    return 5500;
  }

  override page(): ReactNode {
    return <Shop />;
  }

  /** The page polls everything that it shows. */
  override other(choice: Random): string | undefined {
    this.isBehind = true;
    return super.other(choice);
  }
}

test('a cart shows what the server has, whatever was clicked, refused or lost', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => (world = new ShopWorld(seed)))).toEqual({ failed: [], least: undefined });
});
