import { keyOf } from 'rejoin';
import { useSyncExternalStore } from 'react';
import { Person } from '../../shell/person.tsx';
import { ann, list, type Post, response, store, User } from './model.ts';

const NAMES = ['Ann', 'Anna', 'Ann-Marie'];

/** Two posts in three forms: the response, the stored rows, the values that components read. */
export function OverviewPage() {
  const posts = useSyncExternalStore(list.subscribe, list.current);
  const user = useSyncExternalStore(ann.subscribe, ann.current);
  if (typeof posts !== 'object' || typeof user !== 'object') return null;
  const rename = (): void => {
    const name = NAMES[(NAMES.indexOf(user.name) + 1) % NAMES.length];
    store.write(User, { id: user.id, name });
  };
  return (
    <section className="stack" aria-label="An example">
      <ol className="steps">
        <Sent />
        <Stored name={user.name} />
        <Read posts={posts} />
      </ol>
      <div className="row">
        <button type="button" className="button primary" onClick={rename}>
          Rename Ann in the table
        </button>
        <span className="soft small">Both posts change, because both refer to her.</span>
      </div>
    </section>
  );
}

function Sent() {
  return (
    <li className="card">
      <h2>An API sends</h2>
      <pre className="sample">
        {response.map(({ id, title, author }) => (
          <span key={id}>
            {`{ id: '${id}', title: '${title}',\n  author: `}
            <mark>{`{ id: '${author.id}', name: '${author.name}' }`}</mark>
            {' }\n'}
          </span>
        ))}
      </pre>
      <p className="soft small">The response contains Ann twice, as two objects.</p>
    </li>
  );
}

function Stored({ name }: { readonly name: string }) {
  return (
    <li className="card">
      <h2>Rejoin stores</h2>
      <div className="grow stack">
        <table className="stored">
          <caption>Post</caption>
          <tbody>
            {response.map(({ id, title, author }) => (
              <tr key={id}>
                <td>{id}</td>
                <td>{title}</td>
                <td>
                  <mark>→ User {author.id}</mark>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <table className="stored">
          <caption>User</caption>
          <tbody>
            <tr>
              <td>7</td>
              <td>
                <mark>{name}</mark>
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      <p className="soft small">Each record is stored once, in the table of its class.</p>
    </li>
  );
}

function Read({ posts }: { readonly posts: readonly Post[] }) {
  return (
    <li className="card">
      <h2>Components get</h2>
      <ul className="lines grow">
        {posts.map((post) => (
          <li key={keyOf(post)} className="row apart">
            <span>{post.title}</span>
            <Person id={post.author.id} name={post.author.name} />
          </li>
        ))}
      </ul>
      <p className="soft small">
        <code>posts[0].author === posts[1].author</code> is{' '}
        <strong>{String(posts[0]?.author === posts[1]?.author)}</strong>.
      </p>
    </li>
  );
}
