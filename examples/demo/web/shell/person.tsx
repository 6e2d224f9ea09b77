import type { CSSProperties } from 'react';

/** Somebody, with a disc that looks the same wherever they appear: its colour follows from the id, its letters from the name. */
export function Person({ id, name }: { readonly id: string | number; readonly name: string }) {
  const initials = name.split(/\s+/).map((word) => Array.from(word)[0] ?? '');
  return (
    <span className="person">
      <span className="disc" aria-hidden="true" style={{ '--hue': hueOf(String(id)) } as CSSProperties}>
        {initials.slice(0, 2).join('')}
      </span>
      <strong>{name}</strong>
    </span>
  );
}

/** Neighbours get colours that are far apart: steps of the golden angle. */
function hueOf(id: string): number {
  const number = Array.from(id).reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 0);
  return Math.round((number * 137.508) % 360);
}
