import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from '../../shell/person.tsx';
import type { PersonFields } from '../fields.ts';

/** Shows the initials of a person, or an empty ring if there is no person. */
export function Avatar({ person }: { readonly person: PersonFields | null }) {
  if (person === null || person.name === '') return <span className="disc none" title="Unassigned" />;
  return (
    <span className="disc" title={person.name} style={{ '--hue': hueOf(person.id) } as CSSProperties}>
      {initialsOf(person.name)}
    </span>
  );
}
