import { useEffect, useState } from 'react';
import { Link } from '../../../shell/link.tsx';
import { type ActivityFields, PRIORITY_NAMES, type State, STATE_NAMES, STATES } from '../../fields.ts';
import { Ago } from '../../parts/ago.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { WindowList } from '../../parts/window-list.tsx';

export function ActivityList({ list }: { readonly list: readonly ActivityFields[] }) {
  return (
    <>
      <Colleague />
      <WindowList className="card flush" label="Changes" items={list} keyOf={({ id }) => id} rowHeight={58}>
        {(one) => <Line one={one} />}
      </WindowList>
    </>
  );
}

function Line({ one: { person, issue, action, detail, at } }: { readonly one: ActivityFields }) {
  return (
    <div className="event">
      <Avatar person={person} />
      <span className="title">
        <span className="cut">
          <strong>{person.name}</strong> {wordsFor(action, detail)}{' '}
          <Link href={`/issues/${issue.id}`}>{issue.title}</Link>
        </span>
        <span className="meta">
          <Ago at={at} />
        </span>
      </span>
    </div>
  );
}

function wordsFor(action: string, detail: string): string {
  switch (action) {
    case 'created':
      return 'reported';
    case 'state':
      return `moved to ${STATE_NAMES[detail as State] ?? detail}:`;
    case 'priority':
      return `set the priority ${PRIORITY_NAMES[Number(detail)] ?? detail} of`;
    case 'assignee':
      return detail === '' ? 'unassigned' : `assigned to ${detail}:`;
    case 'comment':
      return `wrote “${detail}” about`;
    default:
      return `changed the ${action} of`;
  }
}

const PAUSE = 1500;

/** Changes random issues, as another browser would. Its requests do not pass through either library. */
function Colleague() {
  const [isAtWork, setAtWork] = useState(false);
  useEffect(() => {
    if (!isAtWork) return undefined;
    const timer = setInterval(changeSomething, PAUSE);
    return () => clearInterval(timer);
  }, [isAtWork]);
  return (
    <label className="row one-line">
      <input type="checkbox" checked={isAtWork} onChange={(event) => setAtWork(event.target.checked)} />
      Let another client change issues
    </label>
  );
}

function changeSomething(): void {
  const request = new XMLHttpRequest();
  request.open('PATCH', `/api/issues/${1 + Math.floor(Math.random() * 100)}`);
  request.setRequestHeader('Content-Type', 'application/json');
  request.send(JSON.stringify({ state: STATES[Math.floor(Math.random() * STATES.length)] }));
}
