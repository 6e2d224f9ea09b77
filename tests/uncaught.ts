import { onTestFinished } from 'vitest';

/** Returns the errors that nothing catches, from now until the end of the test. */
export function uncaught(): readonly unknown[] {
  const errors: unknown[] = [];
  const hear = (error: unknown): void => void errors.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', hear);
  onTestFinished(() => {
    process.off('uncaughtException', hear);
    for (const other of others) process.on('uncaughtException', other);
  });
  return errors;
}
