import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that run for more than five seconds on a quiet machine. They begin first, so that no processor waits for one of them at the end. Vitest
 * would begin with the largest files, and these are small: they call simulations.
 */
const LONG =
  /tests\/(?:ordering\/exhaustive|reliability\/(?:hostile|soak|texts|session|interleaving)|outbox\/histories|queries\/history|lists\/lists|grammar\/grammar|oracle\/history|consumers\/(?:runners|typescript))|examples\/(?:next|react-features|demo\/(?:e2e\/(?:layout-shift|every-page|every-screen|compare|pairs|load|joins)|api\/(?:program|start)))/;

/** Returns the environment that a file asks for in its first comment; '' for that of its project. */
function environmentOf(file: string): string {
  return /@vitest-environment (\S+)/.exec(readFileSync(file, 'utf8').slice(0, 200))?.[1] ?? '';
}

/**
 * The order of the test files: project by project, the long files of each first. Vitest starts a new process when the environment changes from one file to
 * the next, so the files of each environment are together.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Map(sorted.map(({ project }, at) => [project, at]));
    const rank = ({ project, moduleId }: TestSpecification): string =>
      `${String(projects.get(project)).padStart(6, '0')} ${environmentOf(moduleId)} ${LONG.test(moduleId) ? 0 : 1}`;
    const ranks = new Map(sorted.map((file) => [file, rank(file)]));
    return sorted.toSorted((one, other) => (ranks.get(one) ?? '').localeCompare(ranks.get(other) ?? ''));
  }
}
