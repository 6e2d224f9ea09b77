import { platform } from '../../std/platform.ts';
import type { Fixture, Interceptor } from './fixture.ts';

/** Answers with a fixture as `fetch` would. */
export async function outcome(fixture: Fixture): Promise<unknown> {
  if (fixture.error === true) throw fixture.response;
  return fixture.response;
}

/** Answers after the delay of the fixture. It uses the global timers, so that tests can fake them. */
export async function afterDelay(
  { delay = 0, delayCollapse = false }: Fixture | Interceptor,
  args: readonly unknown[],
  respond: () => unknown,
): Promise<unknown> {
  // A rejected promise must not be reported as unhandled during the delay.
  const answer = delayCollapse ? undefined : Promise.resolve().then(respond);
  answer?.catch(() => {});
  const milliseconds = typeof delay === 'function' ? Reflect.apply(delay, undefined, args) : delay;
  if (milliseconds > 0) await new Promise<void>((resolve) => void platform.setTimeout(resolve, milliseconds));
  return answer ?? respond();
}
