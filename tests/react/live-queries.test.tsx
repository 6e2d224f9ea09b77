import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { arg, Controller, Endpoint, Entity, from, hasMany } from 'rejoin';
import { DataProvider, useDLE, useQuery, useSuspense } from 'rejoin/react';
import { expectSoon, show } from './harness.tsx';

class Team extends Entity {
  id = '';
  name = '';
  static override key = 'Team';
  static players = hasMany(() => Player, 'team');
}

class Player extends Entity {
  id = '';
  goals = 0;
  team = Team.fromJS();
  static override key = 'Player';
  static override schema = { team: Team };
}

const best = from(Player)
  .where({ goals: { gte: arg('least') } })
  .orderBy('goals', 'desc')
  .limit(2);

const PLAYERS = [
  { id: 'a', goals: 3, team: { id: '1', name: 'Reds' } },
  { id: 'b', goals: 1, team: '1' },
  { id: 'c', goals: 2, team: { id: '2', name: 'Blues' } },
];

function Best(): ReactNode {
  return useQuery(best, { least: 2 })?.map(({ id }) => id).join(); // prettier-ignore
}

let rendered = 0;

function Players({ of }: { readonly of: string }): ReactNode {
  const team = useQuery(Team, { id: of });
  const players = useQuery(Team.players, team ?? of);
  rendered++;
  return `; ${team?.name}: ${players?.map(({ id }) => id).join('+')}`;
}

test('live queries and relations show each change, and only the components that show the changed data render again', async () => {
  const controller = new Controller();
  for (const player of PLAYERS) void controller.set(Player, { id: player.id }, player);
  const shown = show(
    <DataProvider controller={controller}>
      <Best />
      <Players of="1" />
      <Players of="2" />
    </DataProvider>,
  );
  await expectSoon(() => shown.text() === 'a,c; Reds: a+b; Blues: c');
  void controller.set(Player, { id: 'b' }, { id: 'b', team: '2' });
  await expectSoon(() => shown.text() === 'a,c; Reds: a; Blues: b+c');
  rendered = 0;
  void controller.set(Player, { id: 'c' }, { id: 'c', goals: 1 });
  await expectSoon(() => shown.text() === 'a; Reds: a; Blues: b+c');
  // StrictMode renders twice. The other team does not render.
  expect(rendered).toBeLessThanOrEqual(2);
  void controller.set(Team, { id: '2' }, { id: '2', name: 'Sky' });
  await expectSoon(() => shown.text() === 'a; Reds: a; Sky: b+c');
});

test('components wait for a query that an endpoint loads, and all its readers share one request', async () => {
  let requests = 0;
  const getPlayers = new Endpoint(
    async () => {
      requests++;
      return PLAYERS;
    },
    { name: 'getPlayers', schema: [Player] },
  );
  const scorers = from(Player)
    .orderBy('goals', 'desc')
    .select(({ id }) => id);
  const loaded = scorers.loadedBy(getPlayers);
  const most = from(Player)
    .where({ goals: { gt: 1 } })
    .count()
    .loadedBy(getPlayers);

  function Scorers(): ReactNode {
    return useSuspense(loaded).join('');
  }
  function Most(): ReactNode {
    const { data, loading } = useDLE(most);
    return loading ? ' …' : ` ${data}`;
  }
  function Known(): ReactNode {
    return ` ${useQuery(scorers)?.join('')}`;
  }
  const controller = new Controller();
  const shown = show(
    <DataProvider controller={controller}>
      <Scorers />
      <Most />
      <Known />
    </DataProvider>,
  );
  await expectSoon(() => shown.text() === 'acb 2 acb');
  void controller.set(Player, { id: 'b' }, { id: 'b', goals: 9 });
  await expectSoon(() => shown.text() === 'bac 3 bac');
  expect(requests).toBe(1);
});
