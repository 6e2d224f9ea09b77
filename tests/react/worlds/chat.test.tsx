/** A chat: channels, messages with cursors in both directions, a stream with gaps, other people who write, edit and delete. */
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import {
  beforeFrame,
  Collection,
  Entity,
  getDefaultManagers,
  keyOf,
  type Manager,
  resource,
  RestEndpoint,
  serverSentEvents,
  StreamManager,
  Invalidate,
} from 'rejoin';
import { AsyncBoundary, useInfinite, useMutation, useSubscription, useSuspense } from 'rejoin/react';
import { ChatServer } from './chat-server.ts';
import { Network } from './network.ts';
import { Button, playWorld, useChoice, useIsFresh, World } from './world.tsx';
import type { Watch } from './watch.ts';

const network = new Network();
const { platform } = network;
const LIMIT = 3;
const MESSAGE = / m\w+:\S* p\d:[^\s\]]*/g;

/** The server counts the versions of a record, because a message of the stream can be older than an answer that came before it. */
class Versioned extends Entity {
  id = '';
  version = 0;
  static override shouldReorder(...[, , stored, incoming]: Parameters<typeof Entity.shouldReorder>): boolean {
    return stored.version > incoming.version; // a guess has no version
  }
}
class Person extends Versioned {
  name = '';
  static override key = 'Person';
}
class Message extends Versioned {
  channelId = '';
  text = '';
  sentAt = 0;
  author: Person | undefined = undefined;
  static override key = 'Message';
  static override schema = { author: Person };
}
class Channel extends Versioned {
  name = '';
  last: Message | undefined = undefined;
  static override key = 'Channel';
  static override schema = { last: Message };
}

const people = resource({ path: '/people/:id', schema: Person, optimistic: true, platform });
const channels = resource({ path: '/channels/:id', schema: Channel, platform });
const list = new Collection([Message], {
  orderBy: (one: Message, other: Message) => other.sentAt - one.sentAt,
  page: ['limit', 'before', 'after'],
});
const searchParams: { limit?: number; before?: string; after?: string } = {};
const getMessages = new RestEndpoint({
  path: '/channels/:channelId/messages',
  searchParams,
  schema: { items: list, older: undefined as string | undefined, newer: undefined as string | undefined },
  optimistic: true,
  platform,
});
const messages = resource({ path: '/messages/:id', schema: Message, optimistic: true, platform });

const unique = network.next;
let watch: Watch;

function Feed({ channelId }: { readonly channelId: string }): ReactNode {
  const isFresh = useIsFresh();
  const first = { channelId, limit: isFresh ? 1000 : LIMIT };
  useSubscription(getMessages, isFresh ? null : first);
  const { items, hasNext, hasPrevious, isFetchingNext, fetchNext, fetchPrevious } = useInfinite(getMessages, first, {
    next: ({ older }) => (older === undefined ? undefined : { ...first, before: older }),
    previous: ({ newer }) => (newer === undefined ? undefined : { ...first, after: newer }),
  });
  const { mutate: send } = useMutation(getMessages.push);
  const { mutate: edit } = useMutation(messages.partialUpdate);
  const { mutate: remove } = useMutation(messages.delete);
  const write = (): void => {
    const id = `m${network.now()}x${unique()}`.padEnd(20, '0');
    void send({ channelId }, { id, channelId, text: `t${unique()}`, sentAt: network.now(), author: 'p1' });
  };
  return (
    <>
      {' messages['}
      {items.map((message) => (
        <p key={keyOf(message)}>
          {textOf(message)}
          {message.author?.id === 'p1' && (
            <Button
              name={`edit ${message.id}`}
              onClick={() => {
                const text = `t${unique()}`;
                watch.edit(message.id, 0, text, edit({ id: message.id }, { text }));
              }}
            />
          )}
          {message.author?.id === 'p1' && (
            <Button
              name={`delete ${message.id}`}
              onClick={() => watch.remove(message.id, remove({ id: message.id }))}
            />
          )}
        </p>
      ))}
      {hasNext ? '] older' : ']'}
      <Button name="send" onClick={write} />
      {hasNext && !isFetchingNext && <Button name="older" onClick={() => void fetchNext()} />}
      {hasPrevious && <Button name="newer" onClick={() => void fetchPrevious()} />}
    </>
  );
}

function textOf({ author, id, text }: Message): string {
  return ` ${id}:${text} ${author?.id}:${author?.name}`;
}

function Chat(): ReactNode {
  const [channelId, go] = useChoice('channel', 'c1');
  const { mutate: rename } = useMutation(people.partialUpdate);
  const renameMe = (): void => {
    const name = `n${unique()}`;
    watch.edit('p1', 0, name, rename({ id: 'p1' }, { name }));
  };
  return (
    <>
      {useSuspense(channels.getList).map((channel) => (
        <p key={channel.id}>
          {` ${channel.id}:${channel.name}`}
          {channel.last && textOf(channel.last)}
          <Button name={`go ${channel.id}`} onClick={() => go(channel.id)} />
        </p>
      ))}
      <Button name="rename" onClick={renameMe} />
      <AsyncBoundary fallback=" waiting">
        <Feed key={channelId} channelId={channelId} />
      </AsyncBoundary>
    </>
  );
}

class ChatWorld extends World {
  readonly server: ChatServer;

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
    watch.isStreamed = true;
    this.server = new ChatServer(network, this.choice);
  }

  override managers(): readonly Manager[] {
    const stream = new StreamManager(serverSentEvents('http://server/stream', { platform }), {
      covers: ({ endpoint }) => endpoint.name === getMessages.name,
      write: ({ data, type }) => {
        if (type === 'created') return { schema: list.push, value: data };
        if (type === 'deleted') return { schema: new Invalidate(Message), value: data };
        return { schema: type === 'person' ? Person : type === 'channel' ? Channel : Message, value: data };
      },
      onGap: (controller) => controller.expireAll({ testKey: () => true }),
      schedule: beforeFrame({}, platform),
      platform,
    });
    return [stream, ...getDefaultManagers({ devToolsManager: null })];
  }

  override isQuiet(): boolean {
    return this.server.isConnected;
  }

  /** The page shows the newest messages, and those before them that the user has asked for. */
  override comparable(text: string, other: string): string {
    const [head = '', items = ''] = text.split('messages[');
    const shown = items.match(MESSAGE) ?? [];
    const count = other.split('messages[')[1]?.match(MESSAGE)?.length ?? 0;
    const isPart = text.endsWith('older') || other.endsWith('older');
    return head + shown.slice(0, isPart ? Math.min(shown.length, count) : shown.length).join('');
  }

  override page(): ReactNode {
    return <Chat />;
  }
}

test('a chat shows what a fresh page shows, and never two versions of a message', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => new ChatWorld(seed))).toEqual({ failed: [], least: undefined });
});
