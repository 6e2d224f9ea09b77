let chapters = 0;

export function chapter(title: string): void {
  chapters += 1;
  console.log(`\n${chapters}. ${title}\n`);
}

export function show(what: string, value: unknown): void {
  console.log(`   ${what.padEnd(52)} ${String(value)}`);
}

/** Prints stored rows: plain data, with pks in place of nested records. */
export function table(name: string, rows: readonly unknown[]): void {
  for (const row of rows) console.log(`   ${name.padEnd(8)} ${JSON.stringify(row)}`);
}
