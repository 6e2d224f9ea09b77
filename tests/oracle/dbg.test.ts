import { test } from 'vitest';
import { Store } from '../../src/index.ts';
import { runHistories, live } from './run.ts';
import { optimistic } from './history.ts';
test('x', () => {
  const { failure } = runHistories({ seed: 12, runs: 1, profile: optimistic }) as any;
  console.log(failure.message);
  const orig: any = {};
  const show = (t: any, m: string, a: any[]) =>
    console.log(
      m,
      JSON.stringify(a).slice(0, 250),
      '\n   ',
      JSON.stringify([...t.rows()].map((x: any) => [x.pk, x.row, x.stamp.issue])),
      '\n   SHOWN',
      JSON.stringify(['1', '2', '3', '4'].map((i) => t.row('Node', i))),
    );
  for (const m of ['write', 'invalidate', 'guess', 'begin'] as const) {
    orig[m] = (Store.prototype as any)[m];
    (Store.prototype as any)[m] = function (...a: any[]) {
      const r = orig[m].apply(this, a);
      if (m === 'begin') console.log('begin', r.issue);
      show(this, m, a);
      if (m === 'guess') {
        const t = this;
        const c = r.confirm;
        r.confirm = (...b: any[]) => {
          const q = c(...b);
          show(t, 'confirm', b);
          return q;
        };
      }
      return r;
    };
  }
  live(failure.history);
});
