import { describe, expect, test } from 'vitest';
import { type ChosenTask, EditsJudge } from './real-tabs-judge.ts';

const task = (id: string, title = 'R a', formerIds: readonly string[] = []): ChosenTask => ({ id, title, formerIds });

/** A judge of edits that are all saved. */
function judge(made: readonly (readonly [title: string, chosen: ChosenTask | undefined])[]): EditsJudge {
  const judged = new EditsJudge();
  for (const [title, chosen] of made) {
    judged.note(title, chosen);
    judged.saved.add(title);
  }
  return judged;
}

describe('the judge of edits in several tabs', () => {
  test.each([
    ['lost', [], 0],
    ['doubled', ['0.0.1', '0.0.1'], 2],
  ])('finds an edit that was %s', (_what, effects, count) => {
    const wrong = judge([['0.0.1', task('1')]]).judged({ effects, titles: new Map() });
    expect(wrong).toEqual([expect.stringContaining(`the edit 0.0.1 has ${count} effects`)]);
  });

  test('finds edits of one person in another order, also if one names the task by a former pk that its tab knew', () => {
    const titles = new Map([['3', ['0.1.2', '0.0.1']]]);
    const effects = ['0.1.2', '0.0.1'];
    const same = judge([
      ['0.0.1', task('3')],
      ['0.1.2', task('3')],
    ]);
    const renamed = judge([
      ['0.0.1', task('temp:1')],
      ['0.1.2', task('3', 'x', ['temp:1'])],
    ]);
    for (const one of [same, renamed])
      expect(one.judged({ effects, titles })).toEqual([expect.stringContaining('in another order: 0.1.2, 0.0.1')]);
  });

  test('allows each order of edits of two people, and of a task that a tab shows twice while the answer of its create is lost', () => {
    const titles = new Map([['3', ['1.0.2', '0.1.2', '0.0.1']]]);
    const made = judge([
      ['0.0.1', task('temp:1')],
      ['0.1.2', task('3')],
      ['1.0.2', task('3')],
    ]);
    expect(made.judged({ effects: ['1.0.2', '0.1.2', '0.0.1'], titles })).toEqual([]);
  });

  test('allows that an edit is lost whose task was never created, because its tab was killed before the create was saved', () => {
    const made: readonly (readonly [string, ChosenTask | undefined])[] = [
      ['0.0.1', undefined],
      ['1.0.1', task('temp:1', '0.0.1')],
      ['2.0.1', task('temp:1', '1.0.1')],
    ];
    const killed = judge(made);
    killed.saved.delete('0.0.1');
    expect(killed.judged({ effects: [], titles: new Map() })).toEqual([]);
    expect(killed.judged({ effects: ['0.0.1'], titles: new Map() })).toHaveLength(2);
    expect(judge(made).judged({ effects: [], titles: new Map() })).toHaveLength(3);
  });

  test('reports what happened to an edit in all tabs', () => {
    const traced = judge([]);
    traced.trace({ at: 5, tab: '0.0', title: '0.0.1', text: 'waiting' });
    traced.trace({ at: 9, tab: '1.0', title: '', text: 'crash' });
    traced.trace({ at: 7, tab: '1.0', title: '1.0.3', text: 'waiting' });
    expect(traced.history('0.0.1')).toBe('  0 ms, 0.0: 0.0.1 waiting\n  4 ms, 1.0:  crash');
  });
});
