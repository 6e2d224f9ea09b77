import type { Wire } from '../rest/wire-shape.ts';
import { envelope, type EnvelopeOptions, type OnlyOf, type RefsOf } from './envelope.ts';
import type { PageValue } from './page.ts';
import { isFields } from './records.ts';
import { snakeCased } from './snake-cased.ts';

/** The options of `rails`. */
export type RailsOptions = Omit<EnvelopeOptions, 'one' | 'names' | 'errors'>;

/**
 * Records as Rails sends them: names in snake_case, and bodies in the envelope that `params.require` expects. Answers may have the envelope
 * or not.
 */
export function rails<const O extends RailsOptions = {}>(
  one: string,
  options?: O,
): Wire<RefsOf<O>, OnlyOf<O>, PageValue<O>> {
  const [rooted, bare] = [envelope({ ...options, one }), envelope({ ...options })];
  return snakeCased({
    ...(rooted as Wire<RefsOf<O>, OnlyOf<O>, PageValue<O>>),
    read(answer, endpoint, headers) {
      const isRooted = isFields(answer) && isFields(answer[one]) && !('id' in answer);
      return (isRooted ? rooted : bare).read(answer, endpoint, headers);
    },
  });
}
