/** What `static indexes` lists: a field, several that are asked for together, or either of which each value stands for one record. */
export type EntityIndex<Field extends string = string> =
  | Field
  | readonly Field[]
  | { readonly unique: Field | readonly Field[] };

/** The fields of an index. */
export function fieldsOf(index: EntityIndex): readonly string[] {
  const fields = typeof index === 'object' && 'unique' in index ? index.unique : index;
  return typeof fields === 'string' ? [fields] : fields;
}

/** Whether this is an index of these fields in which each value stands for one record. */
export function isUnique(index: EntityIndex, fields: readonly string[]): boolean {
  return typeof index === 'object' && 'unique' in index && fieldsOf(index).join() === fields.join();
}
