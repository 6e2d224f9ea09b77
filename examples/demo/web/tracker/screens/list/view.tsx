import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from '../../../shell/link.tsx';
import {
  type FilterChange,
  type Filters,
  type IssueChange,
  type IssueFields,
  KIND_NAMES,
  KINDS,
  PER_PAGE,
  type PersonFields,
  PRIORITY_NAMES,
  STATE_NAMES,
  STATES,
} from '../../fields.ts';
import { Ago } from '../../parts/ago.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { PriorityControl, StateControl } from '../../parts/issue-controls.tsx';
import { Saving } from '../../parts/saving.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { SORTS, useFilters } from './filters.ts';

interface BarProps {
  readonly filters: Filters;
  readonly people: readonly PersonFields[];
  readonly onChange: (change: FilterChange) => void;
}

/** The filters and the order of a list. */
export function FilterBar({ filters, people, onChange }: BarProps) {
  return (
    <div className="filters" role="group" aria-label="Filters">
      <Pick
        label="State"
        value={filters.state}
        options={STATES.map((state) => [state, STATE_NAMES[state]])}
        onPick={(value) => onChange({ state: STATES.find((state) => state === value) })}
      />
      <Pick
        label="Priority"
        value={filters.priority}
        options={PRIORITY_NAMES.map((name, priority) => [String(priority), name])}
        onPick={(value) => onChange({ priority: value === '' ? undefined : Number(value) })}
      />
      <Pick
        label="Kind"
        value={filters.kind}
        options={KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
        onPick={(value) => onChange({ kind: KINDS.find((kind) => kind === value) })}
      />
      <Pick
        label="Assignee"
        value={filters.assigneeId}
        options={people.map(({ id, name }) => [id, name])}
        onPick={(value) => onChange({ assigneeId: value === '' ? undefined : value })}
      />
      <Pick
        label="Sort"
        none="Newest"
        value={filters.sort}
        options={[
          ['updatedAt', 'Latest change'],
          ['priority', 'Priority'],
        ]}
        onPick={(value) => onChange({ sort: SORTS.find((sort) => sort === value) })}
      />
    </div>
  );
}

interface PickProps {
  readonly label: string;
  /** The text if nothing is chosen. */
  readonly none?: string;
  readonly value: string | number | undefined;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onPick: (value: string) => void;
}

function Pick({ label, none = 'Any', value = '', options, onPick }: PickProps) {
  return (
    <label className={value === '' ? 'pick' : 'pick set'}>
      <span>{label}</span>
      <select aria-label={label} value={value} onChange={(event) => onPick(event.target.value)}>
        <option value="">{none}</option>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A field for the title of a new issue. If the request fails, the text returns to the field. */
export function NewIssue({ onCreate }: { readonly onCreate: (title: string) => Promise<boolean> }) {
  const [title, setTitle] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ c: () => field.current?.focus() });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTitle('');
    if (!(await onCreate(title))) setTitle((typed) => typed || title);
  };
  return (
    <form className="new-issue" onSubmit={(event) => void submit(event)}>
      <input
        ref={field}
        className="field grow"
        aria-label="Title of a new issue"
        placeholder="New issue: what is wrong, or missing?"
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        required
      />
      <button type="submit" className="button primary">
        Add
      </button>
    </form>
  );
}

interface RowProps {
  readonly issue: IssueFields;
  readonly isPending: boolean;
  /** Set if a record cannot be changed before it is created. */
  readonly isDisabled?: boolean;
  readonly onChange: (change: IssueChange) => void;
}

export function IssueRow({ issue, isPending, isDisabled = false, onChange }: RowProps) {
  const { id, title, kind, comments, assignee, updatedAt } = issue;
  const isSaved = /^\d+$/.test(id);
  return (
    <li className={isPending ? 'issue pending' : 'issue'} aria-busy={isPending}>
      <StateControl issue={issue} onChange={onChange} isDisabled={isDisabled} />
      <span className="title">
        <Link data-row="" href={isSaved ? `/issues/${id}` : '/'}>
          {title}
        </Link>
        <span className="meta">
          <span className={`kind ${kind}`}>{KIND_NAMES[kind]}</span>
          <span className="num">{isSaved ? `#${id}` : 'new'}</span>
          {comments > 0 && <span className="num">{comments === 1 ? '1 comment' : `${comments} comments`}</span>}
          <Ago at={updatedAt} />
        </span>
      </span>
      <Saving isPending={isPending} />
      <PriorityControl issue={issue} onChange={onChange} isDisabled={isDisabled} />
      <Avatar person={assignee} />
    </li>
  );
}

interface ListProps {
  readonly total: number;
  readonly page: number;
  /** Whether other issues are loading. */
  readonly isLoading: boolean;
  readonly children: ReactNode;
}

export function IssueList({ total, page, isLoading, children }: ListProps) {
  const [, change] = useFilters();
  const pages = Math.max(1, Math.ceil(total / PER_PAGE));
  useShortcuts({ j: () => focusRow(1), k: () => focusRow(-1) });
  return (
    <section className="card flush" aria-busy={isLoading}>
      {total === 0 ? (
        <p className="empty">No issue matches these filters.</p>
      ) : (
        <ul className="issues" aria-label="Issues">
          {children}
        </ul>
      )}
      <nav className="pager" aria-label="Pages of issues">
        <span className="soft num" role="status">
          {total.toLocaleString('en')} {total === 1 ? 'issue' : 'issues'}
        </span>
        <span className="row one-line">
          <button type="button" className="button tiny" disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
            Previous
          </button>
          <span className="num small">
            {page} of {pages}
          </span>
          <button
            type="button"
            className="button tiny"
            disabled={page >= pages}
            onClick={() => change({ page: page + 1 })}
          >
            Next
          </button>
        </span>
      </nav>
    </section>
  );
}

/** Moves the focus to the next or the previous title. */
function focusRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}
