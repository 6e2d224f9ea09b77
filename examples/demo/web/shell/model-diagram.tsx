import { type Entity, type RelationOf, relationsOf } from 'rejoin';

const WIDTH = 460;
/** The space above the highest box and below the lowest. */
const MARGIN = 4;
/** Half of the width and height of a box, and of the ellipse on which the boxes stand. */
const BOX = { x: 62, y: 17 };
const ELLIPSE = { x: 165, y: 78 };

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Draws the entities of a model and the relations between them, as the classes declare them. */
export function ModelDiagram({ model }: { readonly model: readonly (typeof Entity)[] }) {
  const relations = relationsOf(model);
  const places = new Map(model.map(({ key }, at) => [key, placeOf(at, model.length)]));
  const heights = Array.from(places.values(), ({ y }) => y);
  const top = Math.min(...heights) - BOX.y - MARGIN;
  const bottom = Math.max(...heights) + BOX.y + MARGIN;
  const sentences = relations.map(
    ({ entity, name, to, isMany }) => `${entity}.${name}: ${isMany ? 'many ' : 'one '}${to.join(' or ')}`,
  );
  return (
    <figure className="card model">
      <svg viewBox={`0 ${top} ${WIDTH} ${bottom - top}`} role="img" aria-label={`The model. ${sentences.join('. ')}.`}>
        {pairsOf(relations).map((pair) => (
          <Pair key={pair.ends.join()} pair={pair} places={places} />
        ))}
        {Array.from(places, ([key, { x, y }]) => (
          <g key={key}>
            <rect x={x - BOX.x} y={y - BOX.y} width={2 * BOX.x} height={2 * BOX.y} rx="6" />
            <text x={x} y={y + 5} className="strong">
              {key}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="soft small">
        Drawn from the classes by <code>relationsOf(model)</code>
      </figcaption>
    </figure>
  );
}

function placeOf(at: number, count: number): Point {
  const angle = (2 * Math.PI * at) / count - Math.PI / 2;
  return { x: WIDTH / 2 + ELLIPSE.x * Math.cos(angle), y: ELLIPSE.y * Math.sin(angle) };
}

/** All relations between two entities: they share one line. */
interface RelationPair {
  readonly ends: readonly [string, string];
  readonly names: readonly string[];
}

function pairsOf(relations: readonly RelationOf[]): readonly RelationPair[] {
  const pairs = new Map<string, RelationPair>();
  for (const { entity, name, to, isMany } of relations)
    for (const other of to) {
      const id = [entity, other].toSorted().join();
      const { ends = [entity, other], names = [] } = pairs.get(id) ?? {};
      pairs.set(id, { ends, names: [...names, `${entity}.${name}${isMany ? ' *' : ''}`] });
    }
  return [...pairs.values()];
}

function Pair({
  pair: { ends, names },
  places,
}: {
  readonly pair: RelationPair;
  readonly places: ReadonlyMap<string, Point>;
}) {
  const [from, to] = ends.map((key) => places.get(key));
  if (from === undefined || to === undefined) return null;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return (
    <g>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      {names.map((name, at) => (
        <text key={name} x={middle.x} y={middle.y + 5 + 16 * (at - (names.length - 1) / 2)} className="relation">
          {name}
        </text>
      ))}
    </g>
  );
}
