const STEPS: readonly (readonly [limit: number, divisor: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [86_400 * 45, 86_400, 'day'],
  [Number.POSITIVE_INFINITY, 86_400 * 30.4, 'month'],
];
const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** Shows how long ago something happened; `now` if it has no time yet. */
export function Ago({ at }: { readonly at: string }) {
  if (at === '') return <span className="soft">now</span>;
  return (
    <time className="soft" dateTime={at} title={new Date(at).toLocaleString('en')}>
      {ago((Date.now() - Date.parse(at)) / 1000)}
    </time>
  );
}

function ago(seconds: number): string {
  if (seconds < 60) return 'now';
  const [, divisor, unit] = STEPS.find(([limit]) => seconds < limit) ?? [0, 1, 'second' as const];
  return format.format(-Math.round(seconds / divisor), unit);
}
