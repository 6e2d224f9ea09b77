import {
  AsyncBoundary,
  CacheProvider,
  NetworkErrorBoundary,
  useCache,
  useController,
  useDLE,
  useFetch,
  useSuspense,
} from '@data-client/react';
import { createResource, Entity, RestEndpoint, type RestGenerics } from '@data-client/rest';
import { memo, type ReactNode, Suspense, useState } from 'react';
import { rendered } from './renders.ts';

/** The endpoints of this server send credentials, and use the names of the application. */
// oxlint-disable-next-line typescript/no-explicit-any -- as the peer documents it
class IssueEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = 'https://api.test';

  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...(headers as Record<string, string>), Authorization: 'token secret' };
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as the peer documents it
  override process(value: unknown): any {
    return camelKeys(value);
  }
}

function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inside]) => [
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    camelKeys(inside),
  ]);
  return Object.fromEntries(entries) as unknown;
}

class Person extends Entity {
  id = 0;
  login = '';
  avatarUrl = '';

  override pk(): string {
    return `${this.id}`;
  }

  static override key = 'Person';
}

class Label extends Entity {
  id = 0;
  name = '';

  override pk(): string {
    return `${this.id}`;
  }

  static override key = 'Label';
}

class Issue extends Entity {
  number = 0;
  repositoryUrl = '';
  title = '';
  state: 'open' | 'closed' = 'open';
  comments = 0;
  user: Person = Person.fromJS({});
  labels: Label[] = [];

  override pk(): string {
    return `${this.repositoryUrl}/${this.number}`;
  }

  static override key = 'Issue';
  static override schema = { user: Person, labels: [Label] };
}

class Remark extends Entity {
  id = 0;
  body = '';
  user: Person = Person.fromJS({});

  override pk(): string {
    return `${this.id}`;
  }

  static override key = 'Remark';
  static override schema = { user: Person };
}

const IssueResource = createResource({
  path: '/repos/:owner/:repo/issues/:number',
  schema: Issue,
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the peer takes its type from this
  searchParams: {} as { state?: 'open' | 'closed' } | undefined,
  paginationField: 'page',
  Endpoint: IssueEndpoint,
});
const RemarkResource = createResource({
  path: '/repos/:owner/:repo/issues/:number/comments/:id',
  schema: Remark,
  Endpoint: IssueEndpoint,
});
const getMe = new IssueEndpoint({ path: '/user', schema: Person });
const repository = { owner: 'ann', repo: 'trees' };

function Me(): ReactNode {
  rendered('Me');
  return <b>{useSuspense(getMe).login}</b>;
}

const Row = memo(function Row({ issue, onOpen }: { issue: Issue; onOpen: (number: number) => void }): ReactNode {
  rendered('Row');
  return (
    <li>
      <button name={`open ${issue.number}`} onClick={() => onOpen(issue.number)}>
        #{issue.number} {issue.title}
      </button>
      {issue.labels.map(({ name }) => name).join(' ')} {issue.state} by {issue.user.login}
    </li>
  );
});

function Issues({ onOpen }: { onOpen: (number: number) => void }): ReactNode {
  rendered('Issues');
  const controller = useController();
  const issues = useSuspense(IssueResource.getList, { ...repository, state: 'open' });
  const [page, setPage] = useState(2);
  const more = (): void => {
    void controller.fetch(IssueResource.getList.getPage, { ...repository, state: 'open', page });
    setPage(page + 1);
  };
  return (
    <>
      <ul>
        {issues.map((issue) => (
          <Row key={issue.pk()} issue={issue} onOpen={onOpen} />
        ))}
      </ul>
      <button name="more" onClick={more}>
        More
      </button>
    </>
  );
}

function Remarks({ number }: { number: number }): ReactNode {
  rendered('Remarks');
  const { data, loading, error } = useDLE(RemarkResource.getList, { ...repository, number });
  if (error) return <p>No remarks: {String(error.status)}</p>;
  if (loading || data === undefined) return <p>…</p>;
  return data.map(({ id, body, user }) => (
    <p key={id}>
      {user.login}: {body}
    </p>
  ));
}

function Detail({ number }: { number: number }): ReactNode {
  rendered('Detail');
  const controller = useController();
  const args = { ...repository, number };
  void useFetch(IssueResource.get, args);
  const issue = useSuspense(IssueResource.get, args);
  const me = useCache(getMe);
  return (
    <section>
      <h1>{issue.title}</h1>
      <p>
        {issue.state} {issue.user.id === me?.id ? 'mine' : 'theirs'}
      </p>
      <button
        name="toggle"
        onClick={() => void controller.fetch(IssueResource.partialUpdate, args, { state: 'closed' })}
      >
        Close it
      </button>
      <button
        name="remark"
        onClick={() => void controller.fetch(RemarkResource.getList.push, args, { body: 'Me too' })}
      >
        Remark
      </button>
      <button name="again" onClick={() => void controller.invalidate(RemarkResource.getList, args)}>
        Again
      </button>
      <Remarks number={number} />
    </section>
  );
}

export function App(): ReactNode {
  const [number, setNumber] = useState(0);
  return (
    <CacheProvider>
      <NetworkErrorBoundary
        fallbackComponent={({ error }: { error: Error & { status?: number } }) => <b>{error.status}</b>}
      >
        <Suspense fallback={<b>?</b>}>
          <Me />
        </Suspense>
      </NetworkErrorBoundary>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <Issues onOpen={setNumber} />
      </AsyncBoundary>
      {number === 0 ? null : (
        <AsyncBoundary fallback={<p>Opening</p>}>
          <Detail number={number} />
        </AsyncBoundary>
      )}
    </CacheProvider>
  );
}
