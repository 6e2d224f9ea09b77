/** What one would write by hand for exactly this data: no identity, no memo, no staleness. The floor of each row. */
import BTreeModule from 'sorted-btree';

const BTree = BTreeModule.default ?? BTreeModule;

function merge(table, row) {
  const known = table.get(row.id);
  table.set(row.id, known === undefined ? row : { ...known, ...row });
}

export const peer = {
  manyStreams: true,

  engine() {
    const users = new Map();
    const comments = new Map();
    const posts = new Map();
    let list = [];
    let shown;
    /** Which posts name a user or post: made at the first change, which is not timed. */
    let postsOf;
    const dirty = new Set();

    const flatComment = (comment) => {
      merge(users, comment.commenter);
      merge(comments, { ...comment, commenter: comment.commenter.id });
      return comment.id;
    };
    const flatPost = (post) => {
      merge(users, post.author);
      merge(posts, { ...post, author: post.author.id, comments: post.comments.map(flatComment) });
      return post.id;
    };
    const joinComment = (id) => {
      const comment = comments.get(id);
      return { ...comment, commenter: users.get(comment.commenter) };
    };
    const joinPost = (id) => {
      const post = posts.get(id);
      return { ...post, author: users.get(post.author), comments: post.comments.map(joinComment) };
    };
    const again = () => {
      shown = shown.slice();
      for (const at of dirty) shown[at] = joinPost(list[at]);
      dirty.clear();
    };
    const index = () => {
      postsOf = new Map(list.map((id, at) => [id, [at]]));
      shown.forEach((post, at) => {
        for (const user of new Set([post.author.id, ...post.comments.map((c) => c.commenter.id)])) {
          const known = postsOf.get(user);
          if (known) known.push(at);
          else postsOf.set(user, [at]);
        }
      });
      return postsOf;
    };
    const change = (table, id, fields) => {
      table.set(id, { ...table.get(id), ...fields });
      if (shown) for (const at of (postsOf ?? index()).get(id)) dirty.add(at);
    };
    return {
      write(response) {
        list = response.map(flatPost);
        shown = undefined;
      },
      read() {
        if (shown === undefined) shown = list.map(joinPost);
        else if (dirty.size > 0) again();
        return shown;
      },
      changePost: (id, title) => change(posts, id, { title }),
      changeUser: (id, name) => change(users, id, { name }),
    };
  },

  /** A map from id to callbacks. */
  readers(rows) {
    const table = new Map(rows.map((row) => [row.id, row]));
    const shown = [];
    const listeners = new Map(
      rows.map((row, index) => {
        const read = () => void (shown[index] = table.get(row.id));
        read();
        return [row.id, new Set([read])];
      }),
    );
    return {
      write(id, title) {
        table.set(id, { ...table.get(id), title });
        for (const read of listeners.get(id)) read();
      },
      seen: (index) => shown[index].title,
    };
  },

  /** A B-tree over (volume, id), and the window rebuilt only when a change touches it. */
  liveTop({ currencies, stats, queries }) {
    const byVolume = (a, b) => b.volume - a.volume || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
    const rows = new Map(stats.map((row) => [row.id, row]));
    const all = Array.from({ length: queries }, (_, query) => {
      const tree = new BTree(undefined, byVolume);
      const top = () => {
        const window = [];
        for (const entry of tree.entries()) if (window.push(entry[1]) === 20) break;
        return window;
      };
      const inQuery = currencies.filter((currency) => queries === 1 || currency.tier === query % 10);
      const ofStats = new Map(inQuery.map((currency) => [`${currency.id}-USD`, currency]));
      for (const [id, currency] of ofStats) tree.set(rows.get(id), currency);
      let window = top();
      let last = { volume: -1, id: '' };
      const setLast = () => {
        const currency = window.at(-1);
        last = window.length < 20 ? { volume: -1, id: '' } : rows.get(`${currency.id}-USD`);
      };
      setLast();
      return {
        has: (id) => ofStats.has(id),
        change(old, row) {
          tree.delete(old);
          tree.set(row, ofStats.get(row.id));
          if (byVolume(old, last) > 0 && byVolume(row, last) > 0) return;
          window = top();
        },
        setLast,
        top: () => window,
      };
    });
    return {
      update(statsId, volume) {
        const old = rows.get(statsId);
        const row = { ...old, volume };
        rows.set(statsId, row);
        for (const query of all) {
          if (!query.has(statsId)) continue;
          query.change(old, row);
          query.setLast();
        }
      },
      top: (query) => all[query].top().map((currency) => currency.id),
    };
  },

  /** A copy of the array for each change. */
  list(rows) {
    let list = rows;
    return {
      push: (row) => void (list = list.concat(row)),
      remove(id, at) {
        list = list.slice();
        list.splice(at, 1);
      },
      read: () => list,
    };
  },
};
