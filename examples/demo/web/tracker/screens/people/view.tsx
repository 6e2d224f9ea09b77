import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from '../../../shell/link.tsx';
import type { PersonFields } from '../../fields.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Saving } from '../../parts/saving.tsx';

export function People({ children }: { readonly children: ReactNode }) {
  return (
    <ul className="people" aria-label="People">
      {children}
    </ul>
  );
}

interface CountsProps {
  readonly open: number;
  readonly done: number;
  readonly urgent: number;
}

interface Props extends CountsProps {
  readonly person: PersonFields;
  readonly isPending: boolean;
  readonly onRename: (name: string) => void;
}

export function PersonCard({ person, isPending, onRename, ...counts }: Props) {
  const [name, setName] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setName(undefined);
    if (name !== undefined && name.trim() !== person.name) onRename(name.trim());
  };
  return (
    <li className={isPending ? 'card person-card pending' : 'card person-card'} aria-busy={isPending}>
      <form className="row one-line name" onSubmit={submit}>
        <Avatar person={person} />
        {name === undefined ? (
          <strong className="grow">{person.name}</strong>
        ) : (
          <input
            className="field grow"
            aria-label={`New name of ${person.name}`}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setName(undefined)}
            required
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed has made room for it
            autoFocus
          />
        )}
        <Saving isPending={isPending} />
        {name === undefined ? (
          <button
            // The key makes it another element than the one below. As the same element, it would have the type submit before its click has ended.
            key="rename"
            type="button"
            className="button tiny"
            aria-label={`Rename ${person.name}`}
            onClick={() => setName(person.name)}
          >
            Rename
          </button>
        ) : (
          <button key="save" type="submit" className="button tiny primary">
            Save
          </button>
        )}
      </form>
      <Counts {...counts} />
      <Link href={`/?assigneeId=${person.id}`} className="small">
        Show the issues<span className="visually-hidden"> of {person.name}</span>
      </Link>
    </li>
  );
}

function Counts({ open, urgent, done }: CountsProps) {
  return (
    <dl className="counts">
      <Count name="open" count={open} />
      <Count name="urgent" count={urgent} />
      <Count name="done" count={done} />
    </dl>
  );
}

function Count({ name, count }: { readonly name: string; readonly count: number }) {
  return (
    <div>
      <dt className="soft small">{name}</dt>
      <dd className="middle num">{count}</dd>
    </div>
  );
}
