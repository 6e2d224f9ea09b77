/** The application of people who inspect buildings, as the documents teach it. */
import { type ContextType, createContext, type ReactNode, useContext } from 'react';
import { type Controller, Entity, keyOf, type Platform, resource, RestEndpoint } from 'rejoin';
import type { OutboxManager } from 'rejoin/outbox';
import { DataProvider, useController, useDLE, useOutbox } from 'rejoin/react';
import { show, type Shown } from '../harness.tsx';
import { type Random, random } from '../random.ts';
import { Network } from './network.ts';
import { Button } from './world.tsx';

export const network: Network = new Network();

export class Row extends Entity {
  id = '';
  origin = '';
  parent = '';
  text = '';
  version = 0;
}
class Building extends Row {
  static override key = 'Building';
}
class Floor extends Row {
  static override key = 'Floor';
}
class Defect extends Row {
  state = 'new';
  photos = 0;
  static override key = 'Defect';
}
const searchParams: { readonly parent?: string } | undefined = {};
const orderBy = (one: Row, other: Row): number => (one.origin < other.origin ? -1 : 1);

export interface Kind {
  /** Each list is loaded for its parent, or all records of a class are loaded at once. */
  readonly isNested: boolean;
  readonly coalesce: boolean;
  readonly hasVersions: boolean;
  readonly decides: boolean;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
export function modelOf(platform: Platform, { coalesce, decides }: Kind) {
  const onConflict = ({ mine, theirs }: { mine: object; theirs: Row }): object => ({
    ...mine,
    version: theirs.version,
  });
  const offline = { coalesce, ...(decides && { onConflict }) };
  const shared = { platform, optimistic: true, offline, searchParams, list: { orderBy } } as const;
  return {
    buildings: resource({ ...shared, path: '/buildings/:id', schema: Building }),
    floors: resource({ ...shared, path: '/floors/:id', schema: Floor }),
    defects: resource({ ...shared, path: '/defects/:id', schema: Defect }),
    addPhoto: new RestEndpoint({
      ...{ path: '/defects/:id/photos', method: 'POST', body: {} as FormData, schema: Defect, offline: true, platform },
      getOptimisticResponse: (snap, { id }: { id: string }) => ({
        id,
        photos: (snap.get(Defect, { id })?.photos ?? 0) + 1,
      }),
    }),
  };
}
type Model = ReturnType<typeof modelOf>;

/** What the buttons of the page tell its user. */
interface Inspector {
  readonly kind: Kind;
  /** A text that no other edit writes. */
  text(name: string): string;
  edit(origin: string, field: string, text: string, done: Promise<unknown>, id?: string): void;
  decide(id: string, choice: Random): void;
}
const App = createContext<{ readonly model: Model; readonly user: Inspector } | undefined>(undefined);
function useApp(): Model & { readonly user: Inspector } {
  const { model, user } = useContext(App) as NonNullable<ContextType<typeof App>>;
  return { ...model, user };
}
const idOf = (row: Row): string => row.id.replaceAll(':', '.');

/** A list, and the button with which people try again after an error. */
function useRows(endpoint: Model['floors' | 'defects' | 'buildings']['getList'], parent: string | undefined) {
  const controller = useController();
  const args = parent === undefined ? {} : { parent };
  const { data, error, loading } = useDLE(endpoint as Model['defects']['getList'], args);
  const again = error && (
    <Button
      name="again"
      onClick={() => void controller.fetch(endpoint as Model['defects']['getList'], args).catch(() => {})}
    />
  );
  return [
    data ?? [],
    <>
      {error && !data ? ' failed' : loading ? ' waiting' : ''}
      {again}
    </>,
  ] as const;
}

function Edits({
  row,
  resource: { partialUpdate, delete: remove },
}: {
  readonly row: Row;
  readonly resource: Model['floors' | 'defects' | 'buildings'];
}): ReactNode {
  const controller = useController();
  const { user } = useApp();
  const { id, origin, version } = row;
  const versioned = user.kind.hasVersions ? { version } : {};
  const edit = (field: string, text: string) =>
    user.edit(
      origin,
      field,
      text,
      controller.fetch(partialUpdate as Model['defects']['partialUpdate'], { id }, { [field]: text, ...versioned }),
    );
  return (
    <>
      <Button name={`text ${id}`} onClick={() => edit('text', user.text('t'))} />
      <Button
        name={`delete ${id}`}
        onClick={() =>
          user.edit(origin, 'delete', 'delete', controller.fetch(remove as Model['defects']['delete'], { id }), id)
        }
      />
      {row instanceof Defect && <Button name={`state ${id}`} onClick={() => edit('state', user.text('s'))} />}
    </>
  );
}

function Add({
  name,
  list,
  parent,
}: {
  readonly name: string;
  readonly list: Model['floors' | 'defects' | 'buildings']['getList'];
  readonly parent: string;
}): ReactNode {
  const controller = useController();
  const { user } = useApp();
  const add = (): void => {
    const text = user.text(name[0] ?? '');
    const origin = text.replace('bad', '');
    const body = { parent, origin, text };
    const push = list.push as Model['defects']['getList']['push'];
    user.edit(
      origin,
      'create',
      text,
      parent !== '' && user.kind.isNested ? controller.fetch(push, { parent }, body) : controller.fetch(push, body),
    );
  };
  return <Button name={`${name} ${parent}`} onClick={add} />;
}

function DefectRow({ defect }: { readonly defect: Defect }): ReactNode {
  const { addPhoto, defects, user } = useApp();
  const controller = useController();
  const { id, origin, photos, state, text } = defect;
  const photo = (): void => {
    const file = user.text('p');
    const form = new FormData();
    form.append('file', new File([file], file));
    form.append('defect', id);
    user.edit(origin, 'photo', file, controller.fetch(addPhoto, { id }, form));
  };
  return (
    <p>
      {` ${idOf(defect)}:${text}/${state}/${photos}`}
      <Edits row={defect} resource={defects} />
      <Button name={`photo ${id}`} onClick={photo} />
    </p>
  );
}

function FloorRow({ floor }: { readonly floor: Floor }): ReactNode {
  const { defects, floors, user } = useApp();
  const { isNested } = user.kind;
  const [listed, status] = useRows(defects.getList, isNested ? floor.id : undefined);
  const shown = (listed as readonly Defect[]).filter(({ parent }) => parent === floor.id);
  return (
    <div>
      {` ${idOf(floor)}:${floor.text} defects${idOf(floor)}[`}
      {shown.map((defect) => (
        <DefectRow key={keyOf(defect)} defect={defect} />
      ))}
      {']'}
      {status}
      <Edits row={floor} resource={floors} />
      <Add name="defect" list={defects.getList} parent={floor.id} />
    </div>
  );
}

function BuildingRow({ building }: { readonly building: Building }): ReactNode {
  const { buildings, floors, user } = useApp();
  const { isNested } = user.kind;
  const [listed, status] = useRows(floors.getList, isNested ? building.id : undefined);
  return (
    <div>
      {` ${idOf(building)}:${building.text} floors${idOf(building)}(`}
      {listed
        .filter(({ parent }) => parent === building.id)
        .map((floor) => (
          <FloorRow key={keyOf(floor)} floor={floor} />
        ))}
      {')'}
      {status}
      <Edits row={building} resource={buildings} />
      <Add name="floor" list={floors.getList} parent={building.id} />
    </div>
  );
}

function Buildings(): ReactNode {
  const { buildings } = useApp();
  const [all, status] = useRows(buildings.getList, undefined);
  return (
    <>
      {' buildings('}
      {all.map((building) => (
        <BuildingRow key={keyOf(building)} building={building} />
      ))}
      {')'}
      {status}
      <Add name="building" list={buildings.getList} parent="" />
    </>
  );
}

function Waiting({ outbox }: { readonly outbox: OutboxManager }): ReactNode {
  const entries = useOutbox(outbox);
  const { user } = useApp();
  const stopped = entries.filter(({ state }) => state === 'stopped');
  return (
    <>
      {`# ${entries.length} wait, ${stopped.length} stopped`}
      {stopped.map(({ id }) => (
        <div key={id}>
          <Button name={`decide ${id}`} onClick={() => user.decide(id, random(network.next()))} />
          <Button name={`retry ${id}`} onClick={() => outbox.retry(id)} />
        </div>
      ))}
    </>
  );
}

/** Shows the application. A fresh page has no outbox. */
export function showPage(controller: Controller, model: Model, user: Inspector, outbox?: OutboxManager): Shown {
  return show(
    <App.Provider value={{ model, user }}>
      <DataProvider controller={controller}>
        <Buildings />
        {outbox && <Waiting outbox={outbox} />}
      </DataProvider>
    </App.Provider>,
    { isStrict: false },
  );
}
