/** A call of a hook by a component. */
export interface HookCall {
  readonly component: string;
  /** The hook, and the hooks of the application that called it. */
  readonly hook: string;
}

/** Hooks of this package that call other hooks of it. */
const INNER: ReadonlySet<string> = new Set(['useAnswer', 'usePrevious']);
/** The names of React's functions that call components. They mark a component without a name. */
const REACT: ReadonlySet<string> = new Set(['react_stack_bottom_frame', 'renderWithHooks', 'react-stack-bottom-frame']);

/** Finds the call of a hook in a stack trace. */
export function hookCallIn(stack: string): HookCall {
  const names = stack.split('\n').map(functionIn);
  const hooks = names.slice(names.indexOf('useAnswer'));
  const end = hooks.findIndex((name) => !isHook(name));
  const [component = ''] = end === -1 ? [] : hooks.slice(end);
  const called = hooks.slice(0, Math.max(0, end)).filter((name) => !INNER.has(name));
  return {
    component: component === '' || REACT.has(component) ? 'a component without a name' : component,
    hook: called.toReversed().join(' › '),
  };
}

/** Returns the name of the function in a line of a stack trace, in the formats of all browsers. */
function functionIn(line: string): string {
  const text = line.trim();
  const [before = ''] = text.startsWith('at ') ? text.slice(3).split(' (') : text.split('@');
  const name = before.slice(before.lastIndexOf('.') + 1);
  return name.includes('/') || name.includes(':') ? '' : name;
}

function isHook(name: string): boolean {
  const letter = name.charAt(3);
  return name.startsWith('use') && letter !== '' && letter === letter.toUpperCase();
}
