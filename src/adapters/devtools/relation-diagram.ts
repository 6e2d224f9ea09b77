import type { RelationOf } from '../../state/query/relations-of.ts';
import { element } from './elements.ts';
import type { Go } from './selection.ts';
import type { Session } from './session.ts';

/** The size of a box, and the distances from one box to the next, in pixels. */
const [WIDTH, HEIGHT, COLUMN_WIDTH, ROW_HEIGHT] = [140, 44, 220, 110];
const MARGIN = 16;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the entities with their numbers of records, and lines for their relations. A click opens the table. */
export function modelDiagram(session: Session, go: Go): HTMLElement {
  const counts = session.tables();
  const { relations } = session;
  const names = [...new Set([...relations.flatMap(({ entity, to }) => [entity, ...to]), ...counts.keys()])].filter(
    isEntityName,
  );
  const columns = Math.ceil(Math.sqrt(names.length));
  const points = new Map(
    names.map((name, at) => [
      name,
      { x: MARGIN + (at % columns) * COLUMN_WIDTH, y: MARGIN + Math.floor(at / columns) * ROW_HEIGHT },
    ]),
  );
  const lines = relations.flatMap((relation) => relation.to.flatMap((to) => lineOf(relation, to, points)));
  const diagram = element(
    'div',
    { class: 'diagram', 'aria-label': 'Model', role: 'group' },
    drawing(lines, columns * COLUMN_WIDTH + MARGIN, Math.ceil(names.length / columns) * ROW_HEIGHT + MARGIN),
    ...Array.from(points, ([name, { x, y }]) => {
      const text = `${name} ${counts.get(name) ?? 0}`;
      const box = element(
        'button',
        { class: 'box', 'data-at': `model ${name}`, onclick: () => go({ tab: 'Tables', table: name }) },
        text,
      );
      Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` });
      return box;
    }),
  );
  return diagram;
}

/** Returns the relations as sentences, for screen readers. */
export function relationLines({ relations }: Session): HTMLElement[] {
  return relations.map(({ entity, name, to, isMany, by }) =>
    element(
      'p',
      {},
      `${entity}.${name} → ${isMany ? 'many ' : ''}${to.join(' or ')}${by === undefined ? '' : ` by ${by}`}`,
    ),
  );
}

/** Returns whether a table has the records of an entity. The names of tables of collections begin with a bracket. */
function isEntityName(name: string): boolean {
  return !name.startsWith('[') && !name.startsWith('{');
}

interface Line {
  readonly from: Point;
  readonly to: Point;
  readonly text: string;
}

function lineOf({ entity, name, isMany }: RelationOf, to: string, points: ReadonlyMap<string, Point>): Line[] {
  const [start, end] = [points.get(entity), points.get(to)];
  if (start === undefined || end === undefined) return [];
  const middle = ({ x, y }: Point): Point => ({ x: x + WIDTH / 2, y: y + HEIGHT / 2 });
  return [{ from: middle(start), to: middle(end), text: isMany ? `${name} *` : name }];
}

const SVG = 'http://www.w3.org/2000/svg';

function svg(tag: string, attributes: Readonly<Record<string, string | number>>, text = ''): Element {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

function drawing(lines: readonly Line[], width: number, height: number): Element {
  const all = svg('svg', { width, height, 'aria-hidden': 'true' });
  const between = new Map<string, number>();
  for (const { from, to, text } of lines) {
    const isLoop = from.x === to.x && from.y === to.y;
    const pair = [`${from.x},${from.y}`, `${to.x},${to.y}`].toSorted().join(' ');
    // The names of several relations between the same two entities are written below each other.
    const at = between.get(pair) ?? 0;
    between.set(pair, at + 1);
    const { x, y } = isLoop
      ? { x: from.x, y: from.y + HEIGHT / 2 + 12 }
      : { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    if (!isLoop) all.append(svg('line', { x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
    all.append(svg('text', { x, y: y - 4 + at * 13, 'text-anchor': 'middle' }, isLoop ? `↻ ${text}` : text));
  }
  return all;
}
