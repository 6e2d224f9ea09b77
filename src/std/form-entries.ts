/** Returns the entries of a form. That of React Native has no iterator, but a list. */
export function formEntries(form: FormData): Iterable<[string, FormDataEntryValue]> {
  return Symbol.iterator in form ? form : (Reflect.get(form, '_parts') as [string, FormDataEntryValue][]);
}
