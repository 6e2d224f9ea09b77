/** An application with tabs, a disk, an outbox, a poll and a stream, as the documents teach it. */
import { type ContextType, createContext, type ReactNode, useContext } from 'react';
import {
  beforeFrame,
  Controller,
  Entity,
  getDefaultManagers,
  keyOf,
  LogoutManager,
  PollingSubscription,
  type Platform,
  resource,
  RestEndpoint,
  serverSentEvents,
  StreamManager,
} from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager } from 'rejoin/persist';
import { AsyncBoundary, DataProvider, useController, useDLE, useSubscription, useSuspense } from 'rejoin/react';
import { TabsManager } from 'rejoin/tabs';
import type { FakeBrowser } from '../../tabs/browser.ts';
import { show, type Shown } from '../harness.tsx';
import type { Process } from './device.ts';
import { Network } from './network.ts';
import type { Session } from './tabs-server.ts';
import { Button } from './world.tsx';

export const network: Network = new Network();

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}
class News extends Entity {
  id = '';
  text = '';
  version = 0;
  static override key = 'News';
  static override shouldReorder(...[, , stored, incoming]: Parameters<typeof Entity.shouldReorder>): boolean {
    return stored.version > incoming.version;
  }
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
export function modelOf(platform: Platform, token: string, isFresh = false) {
  const shared = {
    platform,
    getHeaders: (headers: Record<string, string>) => ({ ...headers, Authorization: token }),
  } as const;
  return {
    isFresh,
    notes: resource({
      ...shared,
      path: '/notes/:id',
      schema: Note,
      optimistic: true,
      offline: true,
      list: { orderBy: (one: Note, other: Note) => (one.text < other.text ? -1 : 1) },
    }),
    news: resource({ ...shared, path: '/news/:id', schema: News }),
    getCount: new RestEndpoint({
      ...shared,
      path: '/count',
      pollFrequency: 5000,
      process: (value: { count: number; user: string }) => value,
    }),
  };
}
type Model = ReturnType<typeof modelOf>;

/** What the buttons of a tab tell its user. */
interface TabsUser {
  /** A text that no other edit writes. */
  text(): string;
  edit(text: string, controller: Controller, send: (controller: Controller) => Promise<unknown>): void;
  logOut(session: Session): void;
}
const Page = createContext<{ readonly model: Model; readonly user: TabsUser } | undefined>(undefined);
function useModel(): Model & { readonly people: TabsUser } {
  const { model, user } = useContext(Page) as NonNullable<ContextType<typeof Page>>;
  return { ...model, people: user };
}

function NoteRow({ note }: { readonly note: Note }): ReactNode {
  const controller = useController();
  const { notes, people } = useModel();
  const { id, text } = note;
  const edit = (): void => {
    const next = people.text();
    people.edit(next, controller, (one) => one.fetch(notes.partialUpdate, { id }, { text: next }));
  };
  return (
    <p>
      {` ${id.replaceAll(':', '.')}:${text}`}
      <Button name={`edit ${id}`} onClick={edit} />
      <Button name={`delete ${id}`} onClick={() => void controller.fetch(notes.delete, { id }).catch(() => {})} />
    </p>
  );
}

function Notes(): ReactNode {
  const controller = useController();
  const { notes, people } = useModel();
  const { data, error, loading } = useDLE(notes.getList);
  const add = (): void => {
    const text = people.text();
    people.edit(text, controller, (one) => one.fetch(notes.getList.push, { text }));
  };
  return (
    <>
      {error && !data ? ' failed' : loading ? ' waiting' : ''} notes[
      {data?.map((note) => (
        <NoteRow key={keyOf(note)} note={note} />
      ))}
      ]
      <Button name="add" onClick={add} />
      {error && <Button name="again" onClick={() => void controller.fetch(notes.getList).catch(() => {})} />}
    </>
  );
}

function Live(): ReactNode {
  const { getCount, isFresh, news } = useModel();
  const { count, user } = useSuspense(getCount);
  const all = useSuspense(news.getList);
  return (
    <>
      {` ${user}'s ${count} news[`}
      {all.map(({ id, text }) => ` ${id}:${text}`)}]{!isFresh && <Subscribe />}
    </>
  );
}

function Subscribe(): ReactNode {
  const { getCount, news } = useModel();
  useSubscription(getCount);
  useSubscription(news.getList);
  return null;
}

function App(): ReactNode {
  return (
    <>
      <Notes />
      <AsyncBoundary
        fallback=" waiting"
        errorComponent={({ resetErrorBoundary }) => (
          <>
            {' '}
            failed
            <Button name="again" onClick={resetErrorBoundary} />
          </>
        )}
      >
        <Live />
      </AsyncBoundary>
    </>
  );
}

export function showApp(controller: Controller, model: Model, user: TabsUser): Shown {
  return show(
    <Page.Provider value={{ model, user }}>
      <DataProvider controller={controller}>
        <App />
      </DataProvider>
    </Page.Provider>,
    { isStrict: false },
  );
}

/** A tab of a browser. */
interface Tab {
  readonly version: number;
  readonly process: Process;
  readonly browser: ReturnType<FakeBrowser['tab']>;
}

/** What a tab runs from a login to a logout. */
export class LoggedIn {
  readonly #user: TabsUser;
  readonly session: Session;
  readonly controller: Controller;
  readonly outbox: OutboxManager;
  readonly shown: Shown;
  isOut = false;

  constructor({ browser, process, version }: Tab, session: Session, people: TabsUser) {
    const { user, token } = session;
    this.session = session;
    this.#user = people;
    const { platform, storage } = process;
    const model = modelOf(platform, token);
    const shared = { name: 'app', user, platform };
    const out = (): void => void setImmediate(() => this.end());
    const tabs = new TabsManager({
      ...shared,
      version,
      browser,
      endpoints: [model.notes],
      timeout: 500,
      onEvent: ({ type }) => type === 'reset' && out(),
    });
    const persist = new PersistManager({ ...shared, version, storage });
    this.outbox = new OutboxManager({
      ...shared,
      browser,
      storage,
      endpoints: [model.notes],
      onEvent: ({ type }) => type === 'paused' && void this.logout(),
    });
    const stream = new StreamManager(
      serverSentEvents('http://server/stream', { headers: { Authorization: token }, platform }),
      {
        covers: ({ endpoint }) => endpoint.name === model.news.getList.name,
        write: ({ data }) => ({ schema: News, value: data }),
        schedule: beforeFrame({}, platform),
        platform,
      },
    );
    const logout = new LogoutManager({ handleLogout: () => this.logout() });
    class Polling extends PollingSubscription {
      constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
        super(subscribed, controller, { platform });
      }
    }
    this.controller = new Controller({
      managers: [tabs, persist, this.outbox, logout, stream, ...getDefaultManagers({ subscriptionManager: Polling })],
      now: network.now,
    });
    this.shown = showApp(this.controller, model, people);
  }

  async logout(): Promise<void> {
    await this.controller.resetEntireStore();
    this.#user.logOut(this.session);
    this.end();
  }

  end(): void {
    if (this.isOut) return;
    this.isOut = true;
    this.shown.unmount();
    this.controller.dispose();
  }
}
