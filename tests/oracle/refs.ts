import { Ref } from './placeholders.ts';
import type { Fields, Shape } from './shape.ts';

/** Returns every record and list that `stored` refers to, including missing ones. */
export function refsOf(shape: Shape, stored: unknown, found: Ref[] = []): Ref[] {
  if (stored === null || stored === undefined || typeof stored === 'symbol') return found;
  switch (shape.kind) {
    case 'plain':
    case 'convert':
      break;
    case 'entity':
      found.push(new Ref(shape.table, stored as string));
      break;
    case 'collection':
      found.push(new Ref(shape.lists, stored as string));
      break;
    case 'union': {
      const { id, schema } = stored as { id: string; schema: string };
      found.push(new Ref(shape.tables[schema] as string, id));
      break;
    }
    case 'list':
      for (const item of stored as unknown[]) refsOf(shape.of, item, found);
      break;
    case 'map':
      for (const item of Object.values(stored)) refsOf(shape.of, item, found);
      break;
    case 'object':
      for (const [name, inner] of Object.entries(shape.fields)) refsOf(inner, (stored as Fields)[name], found);
      break;
  }
  return found;
}
