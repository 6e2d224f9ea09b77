import { DataError, type ErrorDetails } from './data-error.ts';

/** A validator as version 1 of the Standard Schema specification describes it. Most validator libraries implement it. */
export interface StandardSchema<Input = unknown, Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One rule that a value breaks, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of a validator for a value. */
export type ValidOutput<V> = V extends StandardSchema<unknown, infer Output> ? Output : never;

/**
 * Returns the value that `validator` returns. Throws an error that names the first broken rule and its path.
 * Returns a promise if the validator does.
 */
export function validateWith(
  validator: StandardSchema,
  value: unknown,
  what: string,
  details: ErrorDetails = {},
): unknown {
  const result = validator['~standard'].validate(value);
  return result instanceof Promise
    ? result.then((settled) => outputOf(settled, what, details))
    : outputOf(result, what, details);
}

function outputOf(result: StandardResult<unknown>, what: string, details: ErrorDetails): unknown {
  if (result.issues === undefined) return result.value;
  const [first, ...others] = result.issues;
  const inside = (first?.path ?? []).reduce<string>(step, details.path ?? '');
  const path = inside.startsWith('.') ? inside.slice(1) : inside;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new DataError(
    'validation-failed',
    `${what} was refused${path === '' ? '' : ` at ${path}`}: ${first?.message ?? 'no reason given'}${more}. Nothing was stored.`,
    { ...details, path: path === '' ? undefined : path, cause: result.issues },
  );
}

function step(path: string, part: PropertyKey | { readonly key: PropertyKey }): string {
  const key = typeof part === 'object' ? part.key : part;
  return typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`;
}
