/** An application that a server renders and a browser hydrates. Each of them loads this file, with a library of its own. */
import { PassThrough } from 'node:stream';
import {
  type ContextType,
  createContext,
  Fragment,
  type ReactNode,
  startTransition,
  StrictMode,
  useContext,
  useState,
} from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { collect, type Controller, Entity, from, keyOf, type Platform, resource, RestEndpoint } from 'rejoin';
import { AsyncBoundary, DataProvider, useCache, useController, useDLE, useQuery, useSuspense } from 'rejoin/react';
import { ServerSession, type TakenOver } from 'rejoin/ssr';

class Project extends Entity {
  id = '';
  name = '';
  static override key = 'Project';
}
export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  projectId = '';
  project: Project | undefined = undefined;
  static override key = 'Task';
  static override schema = { project: Project };
}

interface Search {
  readonly projectId?: string;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
export function modelOf(platform: Platform, user: string) {
  const shared = {
    platform,
    getHeaders: (headers: Record<string, string>) => ({ ...headers, Authorization: user }),
  } as const;
  const getCount = new RestEndpoint({
    ...shared,
    path: '/count',
    dataExpiryLength: 300,
    process: (value: { user: string; open: number }) => value,
  });
  const tasks = resource({
    ...shared,
    path: '/tasks/:id',
    schema: Task,
    searchParams: undefined as Search | undefined,
    optimistic: true,
    refetches: [getCount],
  });
  const open = from(tasks.getList.schema).where({ done: false }).orderBy('title', 'desc');
  return {
    user,
    getCount,
    tasks,
    open,
    perProject: open.groupBy('project', { ids: collect(({ id }) => id) }),
    projects: resource({ ...shared, path: '/projects/:id', schema: Project, optimistic: true }),
  };
}
export type Model = ReturnType<typeof modelOf>;

export interface AppProps {
  readonly model: Model;
  readonly first: string;
  readonly isStrict?: boolean;
  /** A text that no other edit writes. */
  readonly text: () => string;
  readonly onGo?: (page: string) => void;
  readonly onRefresh?: () => void;
  /** Called with each mutation. */
  readonly onEdit: (done: Promise<unknown>) => void;
}

const Props = createContext<AppProps | undefined>(undefined);
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
function useApp() {
  const { model, ...rest } = useContext(Props) as NonNullable<ContextType<typeof Props>>;
  const controller = useController();
  return { ...model, ...rest, controller };
}

function Button({ name, onClick }: { readonly name: string; readonly onClick: () => void }): ReactNode {
  return <button aria-label={name} onClick={onClick} />;
}

const textOf = ({ done, id, project, title }: Task): string =>
  ` ${id.replaceAll(':', '.')}:${title}/${project?.name}/${done ? 'done' : 'open'}`;

function Row({ task }: { readonly task: Task }): ReactNode {
  const { controller, onEdit, tasks, text } = useApp();
  const { done, id, projectId } = task;
  const edit = (fields: Partial<Pick<Task, 'title' | 'done' | 'projectId'>>): void =>
    onEdit(controller.fetch(tasks.partialUpdate, { id }, fields));
  return (
    <p>
      {textOf(task)}
      <Button name={`edit ${id}`} onClick={() => edit({ title: text() })} />
      <Button name={`done ${id}`} onClick={() => edit({ done: !done })} />
      <Button name={`move ${id}`} onClick={() => edit({ projectId: projectId === 'p1' ? 'p2' : 'p1' })} />
      <Button name={`delete ${id}`} onClick={() => onEdit(controller.fetch(tasks.delete, { id }))} />
    </p>
  );
}

function Tasks({ of }: { readonly of?: string }): ReactNode {
  const { controller, onEdit, tasks, text } = useApp();
  const all = useSuspense(tasks.getList, of === undefined ? {} : { projectId: of });
  return (
    <>
      {` tasks ${of}[`}
      {all.map((task) => (
        <Row key={keyOf(task)} task={task} />
      ))}
      ]
      <Button
        name="add"
        onClick={() => onEdit(controller.fetch(tasks.getList.push, { title: text(), projectId: of ?? 'p1' }))}
      />
    </>
  );
}

function Count(): ReactNode {
  const { getCount } = useApp();
  const { open, user } = useSuspense(getCount);
  return ` ${user} has ${open}`;
}

/** Reads what other parts of the page load. */
function Known(): ReactNode {
  const { getCount, open, perProject } = useApp();
  const groups = useQuery(perProject, {})?.map(({ ids, project }) => `${project?.name}:${ids.join('+')}`);
  return (
    <>
      {` known ${useCache(getCount)?.open} open[`}
      {useQuery(open, {})?.map(textOf)}] groups {groups?.toSorted().join()}
    </>
  );
}

function Detail({ id }: { readonly id: string }): ReactNode {
  const { tasks } = useApp();
  const { data, error, loading } = useDLE(tasks.get, { id });
  return <p>{` detail${loading ? ' waiting' : error ? ' failed' : data && textOf(data)}`}</p>;
}

function Projects(): ReactNode {
  const { controller, onEdit, projects, text } = useApp();
  return useSuspense(projects.getList).map(({ id, name }) => (
    <p key={id}>
      {` ${id}:${name}`}
      <Button
        name={`rename ${id}`}
        onClick={() => onEdit(controller.fetch(projects.partialUpdate, { id }, { name: text() }))}
      />
    </p>
  ));
}

function Part({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <AsyncBoundary fallback=" waiting" errorComponent={({ error }) => ` failed ${error.message}`}>
      {children}
    </AsyncBoundary>
  );
}

const PAGES: Readonly<Record<string, ReactNode>> = {
  home: (
    <>
      <Known />
      <Part>
        <Tasks />
      </Part>
      <Detail id="t103" />
      <Part>
        <Count />
      </Part>
      <Part>
        <Tasks of="p1" />
      </Part>
    </>
  ),
  project: (
    <>
      <Part>
        <Projects />
      </Part>
      <Part>
        <Tasks of="p2" />
      </Part>
    </>
  ),
};

function Pages(): ReactNode {
  const { controller, first, onGo, onRefresh } = useApp();
  const [page, setPage] = useState(first);
  const go = (to: string): void => {
    onGo?.(to);
    setPage(to);
  };
  const refresh = (how: 'expireAll' | 'invalidateAll'): void => {
    onRefresh?.();
    void controller[how]({ testKey: () => true });
  };
  return (
    // Without an element around its boundaries, React sends a page when it is complete.
    <main>
      {Object.keys(PAGES).flatMap((to) => [
        <Button key={to} name={`go ${to}`} onClick={() => go(to)} />,
        <Button key={`${to} later`} name={`go ${to} later`} onClick={() => startTransition(() => go(to))} />,
      ])}
      <Button name="refresh" onClick={() => refresh('expireAll')} />
      <Button name="invalidate" onClick={() => refresh('invalidateAll')} />
      <Fragment key={page}>{PAGES[page]}</Fragment>
    </main>
  );
}

export function App({
  controller,
  rendering,
  ...props
}: AppProps & Partial<TakenOver> & Pick<TakenOver, 'controller'>): ReactNode {
  const app = (
    <Props.Provider value={props}>
      <DataProvider controller={controller} rendering={rendering}>
        <Pages />
      </DataProvider>
    </Props.Provider>
  );
  return props.isStrict ? <StrictMode>{app}</StrictMode> : app;
}

/** Renders a page as a server does. Calls `send` with each part, and at the end without one. Returns a function that gives up the rest. */
export function renderPage(
  props: AppProps,
  { now }: Pick<Platform, 'now'>,
  prepare: (controller: Controller) => Promise<unknown>,
  send: (html?: string) => void,
): () => void {
  const session = new ServerSession({ now });
  const { controller, rendering } = session;
  const response = new PassThrough();
  response.setEncoding('utf8');
  response.on('data', send);
  response.on('close', () => send());
  let abort = (): void => {};
  const begin = async (): Promise<void> => {
    // Without the answer, the page fetches the data itself.
    await prepare(controller).catch(() => {});
    const page = renderToPipeableStream(<App {...props} controller={controller} rendering={rendering} />, {
      onShellReady: () => void session.pipe(page, response),
      onError: () => {},
    });
    abort = () => page.abort();
  };
  void begin();
  return () => abort();
}
