import type { CSSProperties } from 'react';

/** A person with an avatar: its colour depends on the id, its letters on the name. */
export function Person({ id, name }: { readonly id: string | number; readonly name: string }) {
  return (
    <span className="person">
      <span className="disc" aria-hidden="true" style={{ '--hue': hueOf(String(id)) } as CSSProperties}>
        {initialsOf(name)}
      </span>
      <strong>{name}</strong>
    </span>
  );
}

/** The first letters of the first two words. */
export function initialsOf(name: string): string {
  const initials = name.split(/\s+/).map((word) => Array.from(word)[0] ?? '');
  return initials.slice(0, 2).join('');
}

/** A colour for an id. Neighbouring ids get very different colours: steps of the golden angle. */
export function hueOf(id: string): number {
  const number = Array.from(id).reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 0);
  return Math.round((number * 137.508) % 360);
}
