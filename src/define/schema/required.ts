/** For `static validate`: returns a message with the first field of `requiredDefaults` that a record lacks. */
export function validateRequired(
  processed: object,
  requiredDefaults: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = Object.keys(requiredDefaults).find((field) => !Object.hasOwn(processed, field));
  return missing === undefined ? undefined : `Missing key ${missing}`;
}
