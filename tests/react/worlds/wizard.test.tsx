/** A wizard: projects, sections and items that are created before their parents have an id, steps back and forth, drafts that are left. */
import { type ReactNode, useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { Entity, keyOf, resource } from 'rejoin';
import { AsyncBoundary, useMutation, useSuspense } from 'rejoin/react';
import { type Call, type Fields, Network, type Reply } from './network.ts';
import { Button, playWorld, useChoice, World } from './world.tsx';
import type { Watch } from './watch.ts';

const network = new Network();
const { platform } = network;
type Id = number | string;

class Project extends Entity {
  id: Id = 0;
  name = '';
  static override key = 'Project';
}
class Section extends Entity {
  id: Id = 0;
  projectId: Id = 0;
  title = '';
  static override key = 'Section';
}
class Item extends Entity {
  id: Id = 0;
  sectionId: Id = 0;
  text = '';
  static override key = 'Item';
}
const options = { optimistic: true, platform } as const;
const projects = resource({ path: '/projects/:id', schema: Project, ...options });
const sections = resource({ path: '/projects/:projectId/sections/:id', schema: Section, ...options });
const items = resource({ path: '/sections/:sectionId/items/:id', schema: Item, ...options });

let watch: Watch;
const unique = network.next;
const nameOf = (kind: string, id: Id): string => `${kind}${String(id).replaceAll(':', '.')}`;

/** A text with a draft: the user changes it, and saves it or leaves it. */
function Draft({
  record,
  text,
  onSave,
}: {
  record: string;
  text: string;
  onSave: (text: string) => Promise<unknown>;
}): ReactNode {
  const [draft, setDraft] = useState<string>();
  const save = (): void => {
    if (draft !== undefined) watch.edit(record, 0, draft, onSave(draft));
    setDraft(undefined);
  };
  return (
    <>
      <Button name={`type ${record}`} onClick={() => setDraft(`t${unique()}`)} />
      {draft !== undefined && draft !== text && <Button name={`save ${record}`} onClick={save} />}
    </>
  );
}

function ProjectList({ onOpen }: { readonly onOpen: (id: Id) => void }): ReactNode {
  const { mutate: create } = useMutation(projects.getList.push);
  const { mutate: remove } = useMutation(projects.delete);
  return (
    <>
      {' projects['}
      {useSuspense(projects.getList).map((project) => (
        <p key={keyOf(project)}>
          {` ${nameOf('p', project.id)}:${project.name}`}
          <Button name={`open ${project.id}`} onClick={() => onOpen(project.id)} />
          <Button
            name={`remove ${project.id}`}
            onClick={() => watch.remove(nameOf('p', project.id), remove({ id: project.id }))}
          />
        </p>
      ))}
      {']'}
      <Button name="create" onClick={() => void create({ name: `t${unique()}` })} />
    </>
  );
}

function ItemList({ sectionId }: { readonly sectionId: Id }): ReactNode {
  const { mutate: create } = useMutation(items.getList.push);
  const { mutate: edit } = useMutation(items.partialUpdate);
  const { mutate: remove } = useMutation(items.delete);
  return (
    <>
      {' items['}
      {useSuspense(items.getList, { sectionId }).map((item) => (
        <p key={keyOf(item)}>
          {` ${nameOf('i', item.id)}:${item.text}`}
          <Draft
            record={nameOf('i', item.id)}
            text={item.text}
            onSave={(text) => edit({ sectionId, id: item.id }, { text })}
          />
          <Button
            name={`remove ${item.id}`}
            onClick={() => watch.remove(nameOf('i', item.id), remove({ sectionId, id: item.id }))}
          />
        </p>
      ))}
      {']'}
      <Button name="addItem" onClick={() => void create({ sectionId }, { text: `t${unique()}` })} />
    </>
  );
}

function SectionList({ projectId, withItems }: { readonly projectId: Id; readonly withItems: boolean }): ReactNode {
  const { mutate: create } = useMutation(sections.getList.push);
  const { mutate: edit } = useMutation(sections.partialUpdate);
  const { mutate: remove } = useMutation(sections.delete);
  return (
    <>
      {' sections['}
      {useSuspense(sections.getList, { projectId }).map((section) => (
        <div key={keyOf(section)}>
          {` ${nameOf('s', section.id)}:${section.title}`}
          <Draft
            record={nameOf('s', section.id)}
            text={section.title}
            onSave={(title) => edit({ projectId, id: section.id }, { title })}
          />
          <Button
            name={`remove ${section.id}`}
            onClick={() => watch.remove(nameOf('s', section.id), remove({ projectId, id: section.id }))}
          />
          {withItems && (
            <AsyncBoundary fallback=" waiting" errorComponent={() => ' failed'}>
              <ItemList sectionId={section.id} />
            </AsyncBoundary>
          )}
        </div>
      ))}
      {']'}
      <Button name="addSection" onClick={() => void create({ projectId }, { title: `t${unique()}` })} />
    </>
  );
}

const STEPS = ['name', 'sections', 'items'] as const;

function Steps({ id, onId }: { readonly id: Id; readonly onId: (id: Id) => void }): ReactNode {
  const project = useSuspense(projects.get, { id });
  const [step, go] = useChoice<number>('step', 0);
  const { mutate: edit } = useMutation(projects.partialUpdate);
  // The address of the page has the id of the server as soon as there is one.
  useEffect(() => {
    if (project.id !== id) onId(project.id);
  }, [id, onId, project]);
  return (
    <>
      {` ${STEPS[step]} of ${nameOf('p', project.id)}:${project.name}`}
      {step === 0 && (
        <Draft
          record={nameOf('p', project.id)}
          text={project.name}
          onSave={(name) => edit({ id: project.id }, { name })}
        />
      )}
      <AsyncBoundary fallback=" waiting" errorComponent={() => ' failed'}>
        {step > 0 && <SectionList projectId={project.id} withItems={step > 1} />}
      </AsyncBoundary>
      {step < 2 && <Button name="next" onClick={() => go(step + 1)} />}
      {step > 0 && <Button name="back" onClick={() => go(step - 1)} />}
    </>
  );
}

function Wizard(): ReactNode {
  const [id, open] = useChoice<Id | undefined>('project', undefined);
  return (
    <>
      <ProjectList onOpen={open} />
      {id !== undefined && (
        <AsyncBoundary key={id} fallback=" waiting" errorComponent={() => ' failed'}>
          <Steps id={id} onId={open} />
        </AsyncBoundary>
      )}
      {id !== undefined && <Button name="leave" onClick={() => open(undefined)} />}
    </>
  );
}

class WizardServer {
  readonly #tables = new Map<string, Fields[]>([['projects', [{ id: 1, name: 't1' }]]]);
  #last = 1;

  other(): undefined {}

  /** The path is `table/id` or `table/id/table/id`. */
  answer({ body, method, path }: Call): Reply {
    const [parents = '', parent = '', nested, child] = path;
    const isNested = nested !== undefined;
    if (isNested && !this.#rows(parents).some(({ id }) => id === Number(parent))) return { status: 404 };
    const table = nested ?? parents;
    const owner = isNested ? { [`${parents.slice(0, -1)}Id`]: Number(parent) } : {};
    const id = Number(isNested ? child : parent);
    if (method === 'POST') {
      const row = { ...body, ...owner, id: ++this.#last };
      this.#tables.set(table, [...this.#rows(table), row]);
      return { status: 201, body: row };
    }
    const found = this.#rows(table).filter((row) =>
      Object.entries(owner).every(([name, value]) => row[name] === value),
    );
    if (Number.isNaN(id) || path.length % 2 > 0) return { body: found };
    const row = found.find((one) => one['id'] === id);
    if (row === undefined) return { status: 404 };
    if (method === 'GET') return { body: row };
    const changed = method === 'DELETE' ? [] : [{ ...row, ...body, id }];
    this.#tables.set(
      table,
      this.#rows(table).flatMap((one) => (one === row ? changed : [one])),
    );
    return method === 'DELETE' ? { status: 204 } : { body: changed[0] };
  }

  #rows(table: string): Fields[] {
    return this.#tables.get(table) ?? [];
  }
}

class WizardWorld extends World {
  readonly server = new WizardServer();

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
  }

  override page(): ReactNode {
    return <Wizard />;
  }
}

test('a wizard keeps what was entered before its parent had an id', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => new WizardWorld(seed))).toEqual({ failed: [], least: undefined });
});
