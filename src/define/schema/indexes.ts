/** An entry of `static indexes`: a field, several fields that are looked up together, or either as `unique`, with one record for each value. */
export type EntityIndex<Field extends string = string> =
  | Field
  | readonly Field[]
  | { readonly unique: Field | readonly Field[] };

/** Returns the fields of an index. */
export function indexFields(index: EntityIndex): readonly string[] {
  const fields = typeof index === 'object' && 'unique' in index ? index.unique : index;
  return typeof fields === 'string' ? [fields] : fields;
}

/** Returns whether this is a unique index of these fields, with one record for each value. */
export function isUnique(index: EntityIndex, fields: readonly string[]): boolean {
  return typeof index === 'object' && 'unique' in index && indexFields(index).join() === fields.join();
}
