import type { ReactNode } from 'react';
import { Link } from '../../../shell/link.tsx';
import { type IssueFields, KIND_NAMES, type IssueChange } from '../../fields.ts';
import { Ago } from '../../parts/ago.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { StateControl } from '../../parts/issue-controls.tsx';
import { Saving } from '../../parts/saving.tsx';

interface FieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

export function SearchField({ text, onChange, isBusy, children }: FieldProps) {
  return (
    <search className="stack" aria-busy={isBusy}>
      <input
        type="search"
        className="field large"
        aria-label="Search in titles and descriptions"
        placeholder="Search in titles and descriptions"
        value={text}
        maxLength={100}
        onChange={(event) => onChange(event.target.value)}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this field
        autoFocus
      />
      <div className={isBusy ? 'results busy' : 'results'}>{children}</div>
    </search>
  );
}

export function Hint() {
  return <p className="card empty">Type a word, such as “calendar”, “export” or “dark”.</p>;
}

export function Total({ total, text }: { readonly total: number; readonly text: string }) {
  return (
    <p className="soft small" role="status">
      {total === 0 ? 'Nothing' : total} {total === 1 ? 'issue' : total === 0 ? '' : 'issues'} found for “{text}”
    </p>
  );
}

interface FoundProps {
  readonly issue: IssueFields;
  readonly text: string;
  readonly isPending: boolean;
  readonly onChange: (change: IssueChange) => void;
}

export function Found({ issue, text, isPending, onChange }: FoundProps) {
  const { id, title, kind, updatedAt, assignee } = issue;
  return (
    <div className={isPending ? 'issue pending' : 'issue'}>
      <StateControl issue={issue} onChange={onChange} />
      <span className="title">
        <Link href={`/issues/${id}`}>
          <Marked text={title} part={text} />
        </Link>
        <span className="meta">
          <span className={`kind ${kind}`}>{KIND_NAMES[kind]}</span>
          <span className="num">#{id}</span>
          <Ago at={updatedAt} />
        </span>
      </span>
      <Saving isPending={isPending} />
      <Avatar person={assignee} />
    </div>
  );
}

function Marked({ text, part }: { readonly text: string; readonly part: string }) {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
