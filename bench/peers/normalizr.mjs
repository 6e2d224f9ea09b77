import { denormalize, normalize, schema } from 'normalizr';

const user = new schema.Entity('User');
const comment = new schema.Entity('Comment', { commenter: user });
const post = new schema.Entity('Post', { author: user, comments: [comment] });

export const peer = {
  /** Its tables, merged into one state as its documentation shows for a reducer. It has no memo. */
  engine() {
    let tables = { User: {}, Comment: {}, Post: {} };
    let list = [];
    const change = (table, id, fields) => {
      tables = { ...tables, [table]: { ...tables[table], [id]: { ...tables[table][id], ...fields } } };
    };
    return {
      write(response) {
        const { result, entities } = normalize(response, [post]);
        const next = { ...tables };
        for (const table of Object.keys(entities)) next[table] = { ...tables[table], ...entities[table] };
        tables = next;
        list = result;
      },
      read: () => denormalize(list, [post], tables),
      changePost: (id, title) => change('Post', id, { title }),
      changeUser: (id, name) => change('User', id, { name }),
    };
  },
};
