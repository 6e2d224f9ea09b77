import { AsyncBoundary, CacheProvider, useCache, useController, useDLE, useSuspense } from '@data-client/react';
import { createResource, Entity, RestEndpoint, schema } from '@data-client/rest';
import { type ReactNode, useState } from 'react';
import { rendered } from './renders.ts';

class Person extends Entity {
  id = '';
  name = '';
  override pk(): string {
    return this.id;
  }
  static override key = 'Person';
}

abstract class Medium extends Entity {
  id = '';
  kind = '';
  title = '';
  lent = 0;
  added = new Date(0);
  override pk(): string {
    return this.id;
  }
}
class Book extends Medium {
  isbn = '';
  author = Person.fromJS();
  static override key = 'Book';
  static override schema = { author: Person, added: (text: string) => new Date(text) };
  static override indexes = ['isbn'] as const;
}
class Film extends Medium {
  minutes = 0;
  static override key = 'Film';
  static override schema = { added: (text: string) => new Date(text) };
  static override process(input: { minutes: string }): object {
    return { ...input, minutes: Number.parseInt(input.minutes, 10) };
  }
}

/** Loans: one record for each person and medium. */
class Loan extends Entity {
  person = '';
  medium = '';
  times = 0;
  override pk(): string {
    return `${this.person},${this.medium}`;
  }
  static override key = 'Loan';
  static override merge(existing: { times: number }, incoming: { times: number }): object {
    return { ...existing, ...incoming, times: Math.max(existing.times, incoming.times) };
  }
}

const urlPrefix = 'https://api.test';
const media = new schema.Union({ book: Book, film: Film }, 'kind');
const getShelf = new RestEndpoint({
  urlPrefix,
  path: '/shelf',
  schema: { media: [media], owner: Person, note: '' },
});
const BookResource = createResource({ urlPrefix, path: '/books/:id', schema: Book });
const getByIsbn = BookResource.get.extend({ path: '/books', searchParams: { isbn: '' } });
const getLoans = new RestEndpoint({ urlPrefix, path: '/loans', schema: new schema.Values(Loan) });
/** Its URL is not built from a path. */
const getFilm = new RestEndpoint({ urlPrefix, path: '/films/:id', schema: Film }).extend({
  url: ({ id }: { id: string }) => `${urlPrefix}/films/${id}.json`,
});
const lend = new RestEndpoint({
  urlPrefix,
  path: '/books/:id/lend',
  method: 'POST',
  body: undefined,
  schema: Book,
  getOptimisticResponse(snap, { id }) {
    const { data } = snap.getResponse(BookResource.get, { id });
    if (!data) throw snap.abort;
    return { id, lent: data.lent + 1 };
  },
});
const purge = new RestEndpoint({
  urlPrefix,
  path: '/purge',
  method: 'POST',
  body: undefined,
  schema: { gone: [new schema.Invalidate(Film)] },
});

function Shelf(): ReactNode {
  rendered('Shelf');
  const { media: items, owner, note } = useSuspense(getShelf);
  return (
    <section>
      {owner.name}: {note}
      <ol>
        {items.map((item) => (
          <li key={item.pk()}>
            {item.constructor === Book ? 'book' : 'film'} {item.title} {item.added.getUTCFullYear()}{' '}
            {'author' in item ? item.author.name : `${item.minutes} minutes`}
          </li>
        ))}
      </ol>
    </section>
  );
}

function One({ id }: { id: string }): ReactNode {
  rendered('One');
  const { data, loading, error } = useDLE(BookResource.get, { id });
  const found = useCache(getByIsbn, { isbn: data?.isbn ?? 'none' });
  if (error) return <p role="alert">{String(error.status)}</p>;
  if (loading || !data) return <p>…</p>;
  return (
    <p>
      {data.title} by {data.author.name}, lent {data.lent} times. {found === data ? 'Found' : 'Not found'} by its
      number.
    </p>
  );
}

function Loans(): ReactNode {
  rendered('Loans');
  const loans = useSuspense(getLoans);
  const film = useSuspense(getFilm, { id: 'f1' });
  return (
    <p>
      {Object.entries(loans)
        .map(([name, { times }]) => `${name}: ${times}`)
        .join(', ')}
      . {film.title} has {film.minutes} minutes.
    </p>
  );
}

function Buttons({ onOpen }: { onOpen: (id: string) => void }): ReactNode {
  const controller = useController();
  const buttons: Record<string, () => unknown> = {
    lend: () => controller.fetch(lend, { id: 'b1' }),
    purge: () => controller.fetch(purge),
    again: () => controller.fetch(BookResource.get, { id: 'b1' }),
    rename: () =>
      controller.setResponse(BookResource.get, { id: 'b1' }, { id: 'b1', author: { id: 'p1', name: 'Anna' } }),
    expire: () => controller.expireAll(getShelf),
    drop: () => controller.invalidate(getLoans),
    retitle: () => controller.fetch(BookResource.update, { id: 'b1' }, { title: 'Trees' }),
    missing: () => onOpen('b9'),
    back: () => onOpen('b1'),
  };
  return (
    <>
      {Object.entries(buttons).map(([name, press]) => (
        <button key={name} name={name} onClick={() => void Promise.resolve(press()).catch(() => undefined)}>
          {name}
        </button>
      ))}
    </>
  );
}

export function App(): ReactNode {
  const [id, open] = useState('b1');
  return (
    <CacheProvider>
      <Buttons onOpen={open} />
      <AsyncBoundary fallback="Loading the shelf">
        <Shelf />
      </AsyncBoundary>
      <One id={id} />
      <AsyncBoundary fallback="Loading the loans">
        <Loans />
      </AsyncBoundary>
    </CacheProvider>
  );
}
