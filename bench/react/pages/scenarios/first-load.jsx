import { Suspense } from 'react';
import { issuesOf } from '../data.js';
import { expect, renders, steps, timed } from '../measure.js';
import { IssueRow, stageOf } from '../stage.jsx';

/** As long as a quick server takes. React has shown the fallback by then. */
const ANSWER_TIME = 30;

function screenOf(made) {
  function Issues() {
    renders.count++;
    return made.useIssues().map((issue) => <IssueRow key={issue.id} issue={issue} />);
  }
  return () => (
    <Suspense fallback={<p>loading</p>}>
      <ul>
        <Issues />
      </ul>
    </Suspense>
  );
}

/** A screen suspends on its first load, and its answer comes: until its text is there in place of the fallback. */
export async function firstLoad({ peer, size, ...given }) {
  const issues = issuesOf(size);
  let stage;
  let answer;
  const ready = async () => {
    await stage?.leave();
    const waiting = [];
    const server = { get: () => new Promise((resolve) => void waiting.push(resolve)) };
    answer = () => waiting.forEach((resolve) => resolve(structuredClone(issues)));
    const made = peer.suspending(server);
    const Screen = screenOf(made);
    stage = await stageOf(made);
    stage.show(Screen);
    await new Promise((resolve) => void setTimeout(resolve, ANSWER_TIME));
    expect(stage.root.textContent === 'loading', `"${stage.root.textContent}" before the answer`);
  };
  const isRight = () => stage.root.querySelectorAll('li').length === size;
  const figures = await steps(() => timed(stage.root, () => answer(), isRight), {
    warm: 2,
    least: 5,
    budget: 1_000,
    ...given,
    ready,
  });
  await stage.leave();
  return { '': figures };
}
