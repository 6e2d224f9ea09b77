/**
 * The changes that an application writes by hand if its library does not know the records of a list. Each change
 * keeps unchanged rows, so that they are not rendered, and may be applied twice: for a guess and for the
 * answer. The change of a list is `change(answer)(list, state)`.
 */
export function withAll(list, changed) {
  const byId = new Map(changed.map((row) => [row.id, row]));
  return list.map((row) => byId.get(row.id) ?? row);
}

export const patched = (issue) => (list) => withAll(list, [issue]);

export const renamed = (user) => (list) =>
  list.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue));

const isIn = (list, id) => list.some((each) => each.id === id);

export const prepended = (issue) => (list, state) => {
  if (state !== issue.state) return list;
  return isIn(list, issue.id) ? withAll(list, [issue]) : [issue, ...list];
};

export const without =
  ({ id }) =>
  (list) =>
    isIn(list, id) ? list.filter((issue) => issue.id !== id) : list;

export const flipped = (issue) => (list, state) => {
  if (state !== issue.state) return without(issue)(list);
  return isIn(list, issue.id) ? withAll(list, [issue]) : [...list, issue];
};
