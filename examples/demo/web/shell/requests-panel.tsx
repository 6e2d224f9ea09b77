import { useSyncExternalStore } from 'react';
import type { RequestLog } from '../net/request-log.ts';

/** What this page asked of the server, newest first. */
export function RequestsPanel({ log }: { readonly log: RequestLog }) {
  const requests = useSyncExternalStore(log.subscribe, log.current);
  return (
    <div className="stack">
      <div className="row apart">
        <p className="soft small">{requests.length === 0 ? 'No request yet.' : 'Newest first.'}</p>
        <button type="button" className="button tiny" onClick={() => log.clear()}>
          Clear
        </button>
      </div>
      <ol className="requests">
        {requests.map(({ id, method, path, status, milliseconds }) => (
          <li key={id}>
            <strong className="mono">{method}</strong> <span className="path">{path}</span>{' '}
            <span className={`chip num ${chipOf(status)}`}>{wordOf(status)}</span>{' '}
            <span className="num ms">{milliseconds === undefined ? '' : `${milliseconds} ms`}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function wordOf(status: number | undefined): string {
  if (status === undefined) return 'under way';
  return status === 0 ? 'no answer' : String(status);
}

function chipOf(status: number | undefined): string {
  if (status === undefined) return 'warm';
  return status >= 200 && status < 400 ? 'accent' : 'bad';
}
