import { parseTemplate, type Token } from './path-template.ts';

/** One step of a matcher: a character, one of many, or a fork in the way. */
type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'segment' }
  | { readonly kind: 'any' }
  | { readonly kind: 'fork'; readonly to: number };

const compiled = new WeakMap<readonly Token[], readonly Step[]>();

/**
 * Whether a path, without a query, may be one of a template. All ways through the template are followed at once, so the time it takes
 * grows with the path and with nothing else.
 */
export function matchesPath(source: string, path: string): boolean {
  const { tokens } = parseTemplate(source);
  const steps = compiled.get(tokens) ?? compiledSteps(tokens);
  compiled.set(tokens, steps);
  let here = follow(steps, [0]);
  for (const char of path) {
    const next: number[] = [];
    for (const at of here) if (takes(steps[at], char)) next.push(at + 1);
    if (next.length === 0) return false;
    here = follow(steps, next);
  }
  return here.has(steps.length);
}

function compiledSteps(tokens: readonly Token[]): readonly Step[] {
  const steps: Step[] = [];
  compile(tokens, steps);
  return steps;
}

function takes(step: Step | undefined, char: string): boolean {
  switch (step?.kind) {
    case 'char':
      return step.char === char;
    case 'segment':
      return char !== '/';
    case 'any':
      return true;
    default:
      return false;
  }
}

/** Every step that can be next, forks followed. */
function follow(steps: readonly Step[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const ahead = [...from];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const step = steps[at];
    if (step?.kind === 'fork') ahead.push(at + 1, step.to);
  }
  return reached;
}

/** Adds the steps of tokens, up to where the query begins. Tells whether it has begun. */
function compile(tokens: readonly Token[], steps: Step[]): boolean {
  for (const token of tokens) {
    if (token.kind === 'text') {
      for (const char of token.text) {
        if (char === '?') return true;
        steps.push({ kind: 'char', char });
      }
    } else if (token.kind === 'group') {
      const fork = steps.push({ kind: 'fork', to: 0 }) - 1;
      const isInQuery = compile(token.tokens, steps);
      steps[fork] = { kind: 'fork', to: steps.length };
      if (isInQuery) return true;
    } else {
      const one = steps.push({ kind: token.kind === 'param' ? 'segment' : 'any' }) - 1;
      // Again, or on.
      steps.push({ kind: 'fork', to: one });
    }
  }
  return false;
}
