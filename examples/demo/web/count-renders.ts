import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name: string } | null;
  readonly body?: Node;
}

const COUNTED = /\/tracker\/(?:screens|parts)\/.*\.tsx$/;

/** Adds a counter to each component of the screens. The demo shows the counted renders. */
export function countRenders(): Plugin {
  return {
    name: 'count-renders',
    enforce: 'pre',
    transform(code, id) {
      if (!COUNTED.test(id)) return undefined;
      const starts = componentsIn(this.parse(code, { lang: 'tsx' })).toSorted((one, other) => other - one);
      let counted = code;
      for (const at of starts) counted = `${counted.slice(0, at)} useRenderCount(); ${counted.slice(at)}`;
      return { code: `import { useRenderCount } from '/tracker/shell/counters.ts';${counted}`, map: null };
    },
  };
}

/** Returns the places where the bodies of components begin: of functions whose names begin with a capital letter. */
function componentsIn(node: unknown): number[] {
  if (Array.isArray(node)) return node.flatMap(componentsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, id, body } = node as Node;
  const isComponent = type?.startsWith('Function') && /^[A-Z]/.test(id?.name ?? '') && body?.type === 'BlockStatement';
  return [...(isComponent ? [body.start + 1] : []), ...Object.values(node).flatMap(componentsIn)];
}
