/** What the user of an inspection has done, compared with what the server has carried out. */
import type { InspectionServer } from './inspection-server.ts';

export interface Edit {
  readonly origin: string;
  readonly field: string;
  readonly text: string;
  /** Whether the outbox has promised to keep it. */
  isKept: boolean;
  isGone: boolean;
  /** Whether it was discarded, and the disk knows that. */
  isOver: boolean;
}

/** A text without what people change after the server has refused it. */
export const plain = (text: string): string => text.replace(/bad$|fix$/, '');

export function changed(form: FormData, change: (text: string) => string): FormData {
  const next = new FormData();
  for (const [name, value] of form)
    next.append(name, typeof value === 'string' ? value : new File([change(value.name)], change(value.name)));
  return next;
}

/** Each edit has one effect, and those of one record have theirs in the order of the edits. */
export function judged(
  edits: readonly Edit[],
  { deleted, effects, wrong }: InspectionServer,
  waiting: readonly Edit[],
  isMerging: boolean,
): readonly string[] {
  const places = new Map(
    edits.map((edit) => [
      edit,
      effects.flatMap(({ origin, texts }, at) =>
        origin === edit.origin && texts.map(plain).includes(edit.text) ? at : [],
      ),
    ]),
  );
  const faults = edits.flatMap((edit, at) => {
    const [first, second] = places.get(edit) ?? [];
    const { field, isGone, isKept, isOver, origin, text } = edit;
    const later = edits.slice(at + 1).filter((one) => one.origin === origin);
    const name = `${text} (${field}) of ${origin}`;
    // A kill can lose a deletion. Then the effect is that of the next one.
    const isRepeated = field === 'delete' && later.some((one) => one.field === 'delete');
    if (first === undefined) {
      const isMerged =
        isMerging && later.some((one) => one.field === field || one.field === 'delete' || field === 'create');
      const isDone = isGone || isMerged || (field === 'delete' && deleted.has(origin));
      return isKept && !isDone && !waiting.includes(edit) ? [`lost: ${name}`] : [];
    }
    return [
      ...(second === undefined || field === 'delete' ? [] : [`doubled: ${name}`]),
      ...(isOver && field !== 'delete' ? [`discarded and carried out: ${name}`] : []),
      ...later.flatMap((one) =>
        !isRepeated && places.get(one)?.some((place) => place < first) ? [`${one.text} before ${name}`] : [],
      ),
    ];
  });
  return [...wrong, ...faults];
}
