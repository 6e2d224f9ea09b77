import type { CSSProperties, ReactNode } from 'react';
import { Link } from '../../../shell/link.tsx';
import type { IssueFields } from '../../fields.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Saving } from '../../parts/saving.tsx';

export function Reports({ children }: { readonly children: ReactNode }) {
  return <div className="reports">{children}</div>;
}

export interface Bar {
  readonly name: string;
  readonly count: number;
  /** How many of these issues are done. */
  readonly done?: number;
}

export function BarChart({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <section className="card stack tight" aria-label={title}>
      <h2>{title}</h2>
      <dl className="bars">
        {bars.map(({ name, count, done }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span className="bar" style={{ '--part': count / most } as CSSProperties} />
              <span className="num">
                {count}
                {done !== undefined && <span className="soft small"> · {done} done</span>}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface UrgentProps {
  readonly total: number;
  readonly children: ReactNode;
}

export function UrgentList({ total, children }: UrgentProps) {
  return (
    <section className="card stack tight" aria-label="Urgent and open">
      <h2 className="row apart one-line">
        Urgent and open <span className="chip warm num">{total}</span>
      </h2>
      <ul className="lines">{children}</ul>
    </section>
  );
}

interface LineProps {
  readonly issue: IssueFields;
  readonly isPending: boolean;
  readonly onDone: () => void;
}

export function UrgentLine({ issue, isPending, onDone }: LineProps) {
  return (
    <li className={isPending ? 'row apart one-line pending' : 'row apart one-line'}>
      <span className="row one-line grow">
        <Avatar person={issue.assignee} />
        <Link href={`/issues/${issue.id}`} className="cut">
          {issue.title}
        </Link>
      </span>
      <Saving isPending={isPending} />
      <button type="button" className="button tiny" aria-label={`Done: ${issue.title}`} onClick={onDone}>
        Done
      </button>
    </li>
  );
}
