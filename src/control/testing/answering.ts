import { platform } from '../../std/platform.ts';
import type { Fixture, Interceptor } from './fixture.ts';

/** What a fixture says, as a fetch says it. */
export async function outcome(fixture: Fixture): Promise<unknown> {
  if (fixture.error === true) throw fixture.response;
  return fixture.response;
}

/** Answers when the fixture says. The clock is the global one, so that it can be a fake one. */
export async function delayed(
  { delay = 0, delayCollapse = false }: Fixture | Interceptor,
  args: readonly unknown[],
  respond: () => unknown,
): Promise<unknown> {
  // What is made too early must not count as unhandled while it waits.
  const early = delayCollapse ? undefined : Promise.resolve().then(respond);
  early?.catch(() => {});
  const milliseconds = typeof delay === 'function' ? Reflect.apply(delay, undefined, args) : delay;
  if (milliseconds > 0) await new Promise<void>((resolve) => void platform.setTimeout(resolve, milliseconds));
  return early ?? respond();
}
