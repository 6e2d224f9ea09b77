/** Returns the number of lines of code: lines that are neither empty nor only a comment. */
export function linesOfCode(source: string): number {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '');
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}
