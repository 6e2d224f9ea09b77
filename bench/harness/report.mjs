import { readFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { peers } from '../peers/index.mjs';
import { short } from '../rows/targets.mjs';

/** Formats a number with three digits and separated thousands: 0.0123, 4.56, 789, 12,300. */
function number(value) {
  const rounded = Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

/** Returns one table: a line for each size and variant, and a column for each library, with its ratio to Rejoin. */
function tableOf(row, names, results) {
  const columns = row.peers.filter((name) => names.includes(name));
  const lines = [
    ['', ...columns.map((name) => `${name}`)],
    ['---', ...columns.map(() => '---:')],
  ];
  for (const size of row.sizes) {
    for (const variant of results.variants(row.id, size)) {
      const ours = results.median(row.id, size, variant, 'rejoin');
      const figures = columns.map((name) => cellText(row, size, variant, name, ours, results));
      if (figures.some((text) => text !== '–'))
        lines.push([[short(size), variant].filter(Boolean).join(', '), ...figures]);
    }
  }
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function cellText(row, size, variant, name, ours, results) {
  if (results.failureOf(row.id, size, name) !== undefined) return '**failed**';
  const figure = results.median(row.id, size, variant, name);
  if (figure === undefined) return '–';
  const ratio = ours === undefined || name === 'rejoin' ? '' : ` (${number(figure / ours)}×)`;
  return number(figure) + ratio;
}

/** Returns one line for each target of the row for which this run has figures. */
function verdictsOf(row, results) {
  const figure = (size, variant, name) => results.median(row.id, size, variant, name);
  return row.targets.flatMap((target) => {
    const verdict = target.verdict(figure);
    return verdict ? [`- ${verdict.reached ? 'reached' : '**missed**'}: ${target.text}, got ${verdict.got}`] : [];
  });
}

export function sectionOf(row, names, results) {
  const parts = [`## ${row.id}: ${row.title}`, `${capital(row.unit)}; in brackets, times Rejoin.`];
  parts.push(tableOf(row, names, results));
  const verdicts = verdictsOf(row, results);
  if (verdicts.length > 0) parts.push(verdicts.join('\n'));
  return parts.join('\n\n');
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Returns the conditions of the run: the date, the machine, the versions and the command. */
export function circumstances(names, command) {
  const packages = new Set(names.flatMap((name) => peers[name].packages ?? []));
  const versions = [...packages].map((name) => `${name} ${versionOf(name)}`);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}`,
    node: process.version,
    versions,
    command,
  };
}

/** package.json has exact versions, so these versions are installed. */
function versionOf(name) {
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return devDependencies[name];
}
