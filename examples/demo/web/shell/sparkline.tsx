import { useState } from 'react';

const WIDTH = 200;
const HEIGHT = 44;
const KEPT = 40;

/** A line through the past values of `value`, one for each `moment`. */
export function Sparkline({ value, moment }: { readonly value: number; readonly moment: string | number }) {
  const [past, setPast] = useState<{ readonly moment: string | number; readonly values: readonly number[] }>({
    moment,
    values: [value],
  });
  if (past.moment !== moment) setPast({ moment, values: [...past.values, value].slice(-KEPT) });
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={pathThrough(past.values)} />
    </svg>
  );
}

function pathThrough(values: readonly number[]): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  const y = (value: number): number => (span === 0 ? HEIGHT / 2 : HEIGHT - 3 - ((value - least) / span) * (HEIGHT - 6));
  const step = WIDTH / (KEPT - 1);
  const from = WIDTH - (values.length - 1) * step;
  const points = values.map((value, at) => `${(from + at * step).toFixed(1)} ${y(value).toFixed(1)}`);
  // The line is flat before the first value.
  return `M0 ${y(values[0] ?? 0).toFixed(1)} L${points.join(' L')}`;
}
