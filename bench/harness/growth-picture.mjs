/** Draws the rows about growth as SVG: a line for each variant over the sizes. */
const WIDTH = 900;
const HEIGHT = 330;
const LEFT = 56;
const RIGHT = 430;
const TOP = 44;
const BOTTOM = 44;
const COLOURS = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#17becf', '#8c564b', '#e377c2', '#7f7f7f'];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function panel(row, results, top, limit) {
  const lines = results.variants(row.id, row.sizes[0]).map((variant) => ({
    variant,
    figures: row.sizes.map((size) => results.median(row.id, size, variant, 'rejoin')),
  }));
  const most = Math.max(limit ?? 0, ...lines.flatMap(({ figures }) => figures.map((figure) => figure ?? 0))) * 1.1;
  const x = (at) => LEFT + (at / (row.sizes.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (figure) => top + HEIGHT - BOTTOM - (figure / most) * (HEIGHT - TOP - BOTTOM);
  const parts = [`<text x="${LEFT}" y="${top + 20}" font-weight="bold">${escaped(`${row.id}: ${row.unit}`)}</text>`];
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const figure = (most / 1.1) * part;
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(figure)}" y2="${y(figure)}" stroke="#ddd"/>`,
      `<text x="${LEFT - 8}" y="${y(figure) + 4}" text-anchor="end">${Number(figure.toPrecision(2))}</text>`,
    );
  }
  row.sizes.forEach((size, at) =>
    parts.push(
      `<text x="${x(at)}" y="${top + HEIGHT - 22}" text-anchor="middle">${size.toLocaleString('en-US')}</text>`,
    ),
  );
  if (limit !== undefined)
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(limit)}" y2="${y(limit)}" stroke="#333" stroke-dasharray="5 4"/>`,
    );
  lines.forEach(({ variant, figures }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const points = figures.flatMap((figure, at) => (figure === undefined ? [] : [`${x(at)},${y(figure)}`]));
    const line = top + TOP + index * 22;
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
      `<line x1="${WIDTH - RIGHT + 20}" x2="${WIDTH - RIGHT + 44}" y1="${line}" y2="${line}" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${WIDTH - RIGHT + 52}" y="${line + 4}">${escaped(variant)}</text>`,
    );
  });
  return parts.join('\n');
}

/** `panels` are rows, each with the limit of its figures if all variants have the same limit. */
export function growthPicture(panels, results) {
  const height = HEIGHT * panels.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${panels.map(({ row, limit }, at) => panel(row, results, at * HEIGHT, limit)).join('\n')}
</svg>
`;
}
