/** How many lines of code a source has: those that are neither empty nor only a comment. */
export function linesOfCode(source: string): number {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '');
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}
