/** A board: cards that are moved between lists and inside of them by two users, with a WebSocket that loses its connection. */
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import {
  beforeFrame,
  Entity,
  from,
  getDefaultManagers,
  Invalidate,
  keyOf,
  type Manager,
  resource,
  StreamManager,
  webSocket,
} from 'rejoin';
import { AsyncBoundary, useDLE, useMutation, usePending, useSubscription, useSuspense } from 'rejoin/react';
import { KanbanServer, LISTS, Socket } from './kanban-server.ts';
import { type Fields, Network } from './network.ts';
import { Button, playWorld, useIsFresh, World } from './world.tsx';
import type { Watch } from './watch.ts';

const network = new Network();
const { platform } = network;

class Card extends Entity {
  id = '';
  listId = '';
  position = 0;
  title = '';
  version = 0;
  static override key = 'Card';
  static override shouldReorder(...[, , stored, incoming]: Parameters<typeof Entity.shouldReorder>): boolean {
    return stored.version > incoming.version; // a guess has no version
  }
}
const byPosition = (one: Card, other: Card): number => one.position - other.position || (one.id < other.id ? -1 : 1);
const searchParams: { readonly listId?: string } = {};
const cards = resource({
  path: '/cards/:id',
  schema: Card,
  searchParams,
  optimistic: true,
  list: { orderBy: byPosition },
  platform,
});
const cardsIn = from(cards.getList.schema)
  .orderBy('position')
  .loadedBy(cards.getList, (search) => [search]);

let watch: Watch;
let world: KanbanWorld;
const unique = network.next;

function CardView({
  card,
  all,
  at,
}: {
  readonly card: Card;
  readonly all: readonly Card[];
  readonly at: number;
}): ReactNode {
  const { mutate: edit } = useMutation(cards.partialUpdate);
  const isPending = usePending(card);
  const { id, listId } = card;
  const rename = (): void => {
    const title = `t${unique()}`;
    watch.edit(id, 0, title, edit({ id }, { title }));
  };
  const move = (to: string, position: number): void => void edit({ id }, { listId: to, position });
  const above = all[at - 1]?.position;
  const beyond = all[at - 2]?.position ?? (above ?? 0) - 10;
  return (
    <p>
      {` ${id}:${card.title}/${listId}`}
      <Button name={`rename ${id}`} onClick={rename} />
      {above !== undefined && <Button name={`up ${id}`} onClick={() => move(listId, (above + beyond) / 2)} />}
      {LISTS.map(
        (to) =>
          to !== listId && (
            <Button key={to} name={`move ${id} to ${to}`} onClick={() => move(to, card.position + 0.5)} />
          ),
      )}
      {!isPending && <Button name={`renameAgain ${id}`} onClick={rename} />}
    </p>
  );
}

function useCards(listId: string): readonly Card[] | undefined {
  const first = useSuspense(cards.getList, world.kind === 'lists' ? { listId } : null);
  const { data: second } = useDLE(cards.getList, world.kind === 'dle' ? { listId } : null);
  const third = useSuspense(cardsIn, world.kind === 'query' ? { listId } : null);
  return first ?? second ?? third;
}

function List({ listId }: { readonly listId: string }): ReactNode {
  useSubscription(cards.getList, useIsFresh() ? null : { listId });
  const all = useCards(listId) ?? [];
  const { mutate: create } = useMutation(cards.getList.push);
  const { mutate: remove } = useMutation(cards.delete);
  const add = (): void => {
    const id = `c${unique()}`.padEnd(20, 'x');
    void create({ listId }, { id, listId, title: `t${unique()}`, position: (all.at(-1)?.position ?? 0) + 10 });
  };
  return (
    <>
      {` cards${listId}[`}
      {all.map((card, at) => (
        <div key={keyOf(card)}>
          <CardView card={card} all={all} at={at} />
          <Button name={`delete ${card.id}`} onClick={() => watch.remove(card.id, remove({ id: card.id }))} />
        </div>
      ))}
      ]
      <Button name={`add ${listId}`} onClick={add} />
    </>
  );
}

function Board(): ReactNode {
  return LISTS.map((listId) => (
    <AsyncBoundary key={listId} fallback=" waiting">
      <List listId={listId} />
    </AsyncBoundary>
  ));
}

class KanbanWorld extends World {
  readonly kind = this.choice.pick(['lists', 'dle', 'query']);
  readonly server = new KanbanServer(network, this.choice);

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
    watch.isStreamed = true;
  }

  override managers(): readonly Manager[] {
    const stream = new StreamManager(webSocket('wss://server', { WebSocket: Socket }), {
      covers: ({ endpoint }) => endpoint.name === cards.getList.name,
      write: ({ data }) => {
        const { type, card } = data as { readonly type: string; readonly card: Fields };
        if (type === 'created') return { schema: cards.getList.schema.push, value: card };
        return type === 'deleted' ? { schema: new Invalidate(Card), value: card } : { schema: Card, value: card };
      },
      schedule: beforeFrame({}, platform),
      platform,
    });
    return [stream, ...getDefaultManagers({ devToolsManager: null })];
  }

  override isQuiet(): boolean {
    return Socket.latest?.readyState === 1;
  }

  override page(): ReactNode {
    return <Board />;
  }
}

test('a board shows the cards of the server in their order, and each card once', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => (world = new KanbanWorld(seed)))).toEqual({ failed: [], least: undefined });
});
