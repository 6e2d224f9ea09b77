import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from '../../../shell/link.tsx';
import type { CommentFields, IssueChange, IssueFields, PersonFields } from '../../fields.ts';
import { Ago } from '../../parts/ago.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { AssigneeControl, KindControl, PriorityControl, StateControl } from '../../parts/issue-controls.tsx';
import { Saving } from '../../parts/saving.tsx';

interface Props {
  readonly issue: IssueFields;
  readonly people: readonly PersonFields[];
  readonly isPending: boolean;
  readonly onChange: (change: IssueChange) => void;
  readonly onDelete: () => void;
  readonly children: ReactNode;
}

/** An issue with all fields that can be changed. `children` are its comments. */
export function IssueDetail({ issue, people, isPending, onChange, onDelete, children }: Props) {
  return (
    <article className="detail" aria-busy={isPending}>
      <div className="row apart one-line crumbs">
        <Link href="/">← Issues</Link>
        <Saving isPending={isPending} />
      </div>
      <EditableText
        key={issue.title}
        className="heading"
        label="Title"
        text={issue.title}
        onSave={(title) => onChange({ title })}
      />
      <div className="columns">
        <div className="stack">
          <EditableText
            key={issue.body}
            className="body"
            label="Description"
            text={issue.body}
            onSave={(body) => onChange({ body })}
          />
          {children}
        </div>
        <Facts issue={issue} people={people} onChange={onChange} onDelete={onDelete} />
      </div>
    </article>
  );
}

function Facts({ issue, people, onChange, onDelete }: Omit<Props, 'isPending' | 'children'>) {
  return (
    <div className="card facts-of-issue">
      <Fact name="State">
        <StateControl issue={issue} onChange={onChange} />
      </Fact>
      <Fact name="Priority">
        <PriorityControl issue={issue} onChange={onChange} />
      </Fact>
      <Fact name="Kind">
        <KindControl issue={issue} onChange={onChange} />
      </Fact>
      <Fact name="Assignee">
        <AssigneeControl issue={issue} people={people} onChange={onChange} />
      </Fact>
      <Fact name="Reported">
        <span>
          {issue.author.name}, <Ago at={issue.createdAt} />
        </span>
      </Fact>
      <Fact name="Changed">
        <Ago at={issue.updatedAt} />
      </Fact>
      <button type="button" className="button" onClick={onDelete}>
        Delete this issue
      </button>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <span className="soft small">{name}</span>
      {children}
    </div>
  );
}

interface TextProps {
  readonly label: string;
  readonly text: string;
  readonly className: string;
  readonly onSave: (text: string) => void;
}

/** A text that is saved when the field loses the focus, or with Enter. Escape restores the former text. */
function EditableText({ label, text, className, onSave }: TextProps) {
  const [typed, setTyped] = useState(text);
  const save = (): void => {
    if (typed.trim() === '') setTyped(text);
    else if (typed !== text) onSave(typed.trim());
  };
  return (
    <textarea
      className={`editable ${className}`}
      aria-label={label}
      rows={1}
      maxLength={className === 'heading' ? 200 : 10_000}
      value={typed}
      onChange={(event) => setTyped(event.target.value.replaceAll('\n', ' '))}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(text);
      }}
    />
  );
}

interface CommentsProps {
  readonly comments: readonly CommentFields[];
  readonly onAdd: (body: string) => Promise<boolean>;
  readonly children: ReactNode;
}

export function Comments({ comments, onAdd, children }: CommentsProps) {
  const [body, setBody] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBody('');
    if (!(await onAdd(body))) setBody((typed) => typed || body);
  };
  return (
    <section className="stack" aria-label="Comments">
      <h2>
        {comments.length} {comments.length === 1 ? 'comment' : 'comments'}
      </h2>
      <ul className="comments">{children}</ul>
      <form className="stack tight" onSubmit={(event) => void submit(event)}>
        <textarea
          className="field"
          aria-label="A new comment"
          placeholder="Write a comment"
          rows={3}
          maxLength={2000}
          value={body}
          onChange={(event) => setBody(event.target.value)}
          required
        />
        <div>
          <button type="submit" className="button primary">
            Comment
          </button>
        </div>
      </form>
    </section>
  );
}

export function CommentLine({ comment, isPending }: { readonly comment: CommentFields; readonly isPending: boolean }) {
  return (
    <li className={isPending ? 'comment pending' : 'comment'} aria-busy={isPending}>
      <Avatar person={comment.author} />
      <div>
        <p className="small">
          <strong>{comment.author.name || 'You'}</strong> <Ago at={comment.createdAt} />{' '}
          <Saving isPending={isPending} />
        </p>
        <p>{comment.body}</p>
      </div>
    </li>
  );
}
