// Checks two numbers: the share of comments in the source, and the size of the tests compared with the source.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';
import { demand } from './run.mjs';

const COMMENTS = [0.12, 0.2];
const TESTS_PER_SOURCE = 2;
const isTest = (file) => /\.test(-d)?\.tsx?$/.test(file) || file.startsWith('tests/');

/** Lines of code and of comment; a line that has both counts as code. */
function lines(file) {
  const counts = { code: 0, comment: 0 };
  let inside = false;
  for (const line of readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text) => text.trim())) {
    if (line === '') continue;
    const comment = inside || line.startsWith('//') || line.startsWith('/*');
    if (comment) inside = (inside || line.startsWith('/*')) && !line.includes('*/');
    counts[comment ? 'comment' : 'code'] += 1;
  }
  return counts;
}

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => /\.tsx?$/.test(file));

function sum(files) {
  const total = { code: 0, comment: 0 };
  for (const { code, comment } of files.map(lines)) {
    total.code += code;
    total.comment += comment;
  }
  return total;
}

/** Throws if a number is out of its range; otherwise returns the numbers as text. */
export function checkShape() {
  const files = [...filesIn('src'), ...filesIn('tests')];
  const source = sum(files.filter((file) => !isTest(file)));
  const tests = sum(files.filter(isTest));
  const share = source.comment / (demand(source.code, 'source') + source.comment);
  const ratio = tests.code / source.code;
  const numbers = `${source.code} lines, comments ${(share * 100).toFixed(1)} %, tests ${ratio.toFixed(2)} × source`;
  if (share < COMMENTS[0] || share > COMMENTS[1])
    throw new Error(`Comments should be 12–20 % of the source: ${numbers}`);
  if (ratio < TESTS_PER_SOURCE) throw new Error(`Tests should be at least twice the source: ${numbers}`);
  return numbers;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(checkShape());
