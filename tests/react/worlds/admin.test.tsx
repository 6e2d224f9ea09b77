/** A table of an administration: pages, totals, filters, orders, edits of one row and of many, and another administrator. */
import { type ReactNode, useState, useTransition } from 'react';
import { expect, test } from 'vitest';
import { Entity, keyOf, resource, RestEndpoint, undecidable } from 'rejoin';
import { AsyncBoundary, useController, useDLE, useMutation, useSuspense } from 'rejoin/react';
import { envelope } from 'rejoin/wire';
import type { Random } from '../random.ts';
import { AdminServer, compare } from './admin-server.ts';
import { type Fields, Network } from './network.ts';
import { Button, playWorld, useChoice, World } from './world.tsx';
import type { Watch } from './watch.ts';

const network = new Network();
const { platform } = network;

class Member extends Entity {
  id: number | string = 0;
  name = '';
  role = '';
  active = false;
  score = 0;
  static override key = 'Member';
}

interface Search {
  readonly role?: string;
  readonly active?: boolean;
  readonly q?: string;
  readonly sort?: string;
  readonly page?: number;
  readonly per_page?: number;
}

const searchParams: Search = {};

/** The application declares the order of the server, or leaves it to the server. */
function modelOf(isOrdered: boolean, isSerial: boolean) {
  const members = resource({
    path: '/members/:id',
    schema: Member,
    searchParams,
    optimistic: true,
    serial: isSerial,
    platform,
    wire: envelope({ many: 'rows', total: 'total' }),
    list: {
      where: { q: undecidable },
      page: ['page', 'per_page'],
      ...(isOrdered && {
        orderBy: (one: Member, other: Member, { sort }: { sort?: string }) =>
          compare(fieldsOf(one), fieldsOf(other), sort),
      }),
    },
  });
  const editMany = new RestEndpoint({
    path: '/members/bulk',
    method: 'PATCH',
    body: {} as {
      readonly ids: readonly (number | string)[];
      readonly changes: Partial<Pick<Member, 'role' | 'active'>>;
    },
    schema: { rows: [Member] },
    getOptimisticResponse: (_, { changes, ids }) => ({ rows: ids.map((id) => ({ id, ...changes })) }),
    platform,
  });
  return { members, editMany };
}
type Model = ReturnType<typeof modelOf>;

function fieldsOf({ active, id, name, role, score }: Member): Fields {
  return { active, id, name, role, score };
}

const nameOf = (at: number): string => `t${at % 7}x${at}`;

let model: Model;
let watch: Watch;
const unique = network.next;
let world: AdminWorld;

const text = ({ active, id, name, role, score }: Member): string =>
  ` m${String(id).replaceAll(':', '.')}:${name}/${role}/${active}/${score}`;

function Detail({ id }: { readonly id: number | string }): ReactNode {
  return text(useSuspense(model.members.get, { id }));
}

function Row({ member, onOpen, onSelect }: { member: Member; onOpen: () => void; onSelect: () => void }): ReactNode {
  const { mutate: edit } = useMutation(model.members.partialUpdate);
  const { id, name } = member;
  const record = `m${String(id).replaceAll(':', '.')}`;
  const rename = (): void => {
    const next = nameOf(unique());
    if (name !== next) watch.edit(record, 0, next, edit({ id }, { name: next }));
  };
  return (
    <p>
      {text(member)}
      <Button name={`rename ${id}`} onClick={rename} />
      <Button name={`role ${id}`} onClick={() => void edit({ id }, { role: member.role === 'a' ? 'b' : 'a' })} />
      <Button name={`active ${id}`} onClick={() => void edit({ id }, { active: !member.active })} />
      <Button name={`score ${id}`} onClick={() => void edit({ id }, { score: (member.score + 3) % 10 })} />
      <Button name={`select ${id}`} onClick={onSelect} />
      {typeof id === 'number' && <Button name={`open ${id}`} onClick={onOpen} />}
    </p>
  );
}

function useRows(search: Search) {
  const suspended = useSuspense(model.members.getList, world.hasDle ? null : search);
  const { data, previous } = useDLE(model.members.getList, world.hasDle ? search : null);
  return suspended ?? previous ?? data;
}

function Rows({ open, search }: { readonly open: (id: number) => void; readonly search: Search }): ReactNode {
  const found = useRows(search);
  const [selected, select] = useState<readonly (number | string)[]>([]);
  const { mutate: remove } = useMutation(model.members.delete);
  const { mutate: editMany } = useMutation(model.editMany);
  const { mutate: create } = useMutation(model.members.getList.push);
  const ids = selected.filter((id) => found?.items?.some((one) => one.id === id));
  const many = (changes: Partial<Member>): void => {
    void editMany({ ids, changes });
    select([]);
  };
  const add = (): void =>
    void create({
      name: nameOf(unique()),
      role: 'a',
      active: unique() % 3 > 0,
      score: unique() % 10,
    });
  return (
    <>
      {` ${found?.total} members[`}
      {found?.items?.map((member) => (
        <div key={keyOf(member)}>
          <Row
            member={member}
            onOpen={() => open(Number(member.id))}
            onSelect={() => select([...selected, member.id])}
          />
          <Button
            name={`delete ${member.id}`}
            onClick={() => watch.remove(`m${String(member.id).replaceAll(':', '.')}`, remove({ id: member.id }))}
          />
        </div>
      ))}
      {']'}
      <Button name="create" onClick={add} />
      {ids.length > 0 && <Button name="many role" onClick={() => many({ role: unique() % 2 ? 'a' : 'b' })} />}
      {ids.length > 0 && <Button name="many active" onClick={() => many({ active: unique() % 2 === 0 })} />}
    </>
  );
}

const FILTERS: readonly Search[] = [
  {},
  { role: 'a' },
  { active: true },
  { role: 'b', active: false },
  { q: '1' },
  { q: '2', role: 'a' },
];
const ORDERS: readonly Search[] = [{}, { sort: 'name' }, { sort: '-name' }, { sort: 'score' }, { sort: '-id' }];

function Admin(): ReactNode {
  const [search, go] = useChoice<Search>('search', { page: 1, per_page: 3 });
  const [opened, open] = useChoice<number | undefined>('open', undefined);
  const [, startTransition] = useTransition();
  const controller = useController();
  const change = (to: Search): void => startTransition(() => go({ ...to, per_page: 3 }));
  const reload = (): void => {
    world.isBehind = false;
    void controller.expireAll({ testKey: () => true });
  };
  const { page = 1, per_page: _, sort, ...filter } = search;
  return (
    <>
      {FILTERS.map((one, at) => (
        <Button
          key={at}
          name={`filter ${at}`}
          onClick={() => change({ ...one, ...(sort !== undefined && { sort }), page: 1 })}
        />
      ))}
      {ORDERS.map((one, at) => (
        <Button key={at} name={`order ${at}`} onClick={() => change({ ...filter, ...one, page: 1 })} />
      ))}
      <Button name="next" onClick={() => change({ ...search, page: page + 1 })} />
      {page > 1 && <Button name="previous" onClick={() => change({ ...search, page: page - 1 })} />}
      <Button name="reload" onClick={reload} />
      {` page ${page}`}
      <AsyncBoundary fallback=" waiting">
        <Rows open={open} search={search} />
      </AsyncBoundary>
      <AsyncBoundary key={opened} fallback=" waiting" errorComponent={() => ' failed'}>
        {opened !== undefined && <Detail id={opened} />}
      </AsyncBoundary>
    </>
  );
}

class AdminWorld extends World {
  readonly server = new AdminServer(network);
  readonly hasDle = this.choice.isLucky(0.5);
  readonly #hasOther = this.choice.isLucky(0.3);

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
    model = modelOf(this.choice.isLucky(0.5), this.choice.isLucky(0.5));
  }

  override page(): ReactNode {
    return <Admin />;
  }

  /** Nothing tells the page what the other administrator has done, until the user reloads it. */
  override other(choice: Random): string | undefined {
    if (!this.#hasOther) return undefined;
    this.isBehind = true;
    return super.other(choice);
  }
}

test('a table shows the page that the server has, whatever was edited', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => (world = new AdminWorld(seed)))).toEqual({ failed: [], least: undefined });
});
