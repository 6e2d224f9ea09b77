import * as rejoin from 'rejoin';

const { Entity, Store, belongsTo, from, hasMany } = { ...rejoin };

/** Users, posts, comments and tags. `declared` says where the reverse relations are declared: nowhere, in static members, or in schemas. */
function modelOf(declared) {
  class User extends Entity {
    id = '';
    name = '';
    static key = 'User';
  }
  class Tag extends Entity {
    id = '';
    static key = 'Tag';
  }
  class Comment extends Entity {
    id = '';
    postId = '';
    text = '';
    static key = 'Comment';
  }
  class Post extends Entity {
    id = '';
    title = '';
    author = User.fromJS();
    tags = [];
    static key = 'Post';
    static schema = { author: User, tags: [Tag] };
  }
  if (declared === 'nowhere') return { User, Tag, Comment, Post };
  const ofUser = { posts: hasMany(Post, 'author') };
  const ofTag = { posts: hasMany(Post, 'tags') };
  const ofPost = { comments: hasMany(Comment, 'postId') };
  const ofComment = { post: belongsTo(Post, 'postId') };
  const put = (entity, relations) => {
    if (declared === 'statics') Object.assign(entity, relations);
    else entity.schema = { ...entity.schema, ...relations };
  };
  put(User, ofUser);
  put(Tag, ofTag);
  put(Post, ofPost);
  put(Comment, ofComment);
  return { User, Tag, Comment, Post };
}

const upTo = (size, at) => Array.from({ length: size }, (_, index) => at(index));

function storeOf({ Tag, Comment, Post }, size) {
  const store = new Store();
  store.write(
    [Tag],
    upTo(20, (index) => ({ id: `t${index}` })),
  );
  const post = (index) => ({
    id: `p${index}`,
    title: `title ${index}`,
    author: { id: `u${index % size}`, name: `name ${index % size}` },
    tags: [`t${index % 20}`, `t${(index * 7) % 20}`],
  });
  store.write([Post], upTo(size * 10, post));
  store.write(
    [Comment],
    upTo(size * 50, (index) => ({ id: `c${index}`, postId: `p${index % (size * 10)}`, text: '' })),
  );
  return store;
}

/** As many readers of posts with their authors as there are users. One of the posts changes. */
export function circle(size, declared) {
  const model = modelOf(declared);
  const store = storeOf(model, size);
  const shown = upTo(size, (index) => {
    const view = store.query(model.Post, [{ id: `p${index}` }]);
    const read = () => {
      const post = view.current();
      shown[index] = `${post.title} by ${post.author.name}`;
    };
    view.subscribe(read);
    return `${view.current().title} by ${view.current().author.name}`;
  });
  return {
    write: (index, title) => store.write(model.Post, { id: `p${index}`, title }),
    seen: (index) => shown[index],
  };
}

/** A tree of all users with their posts and the comments of the posts. One comment changes. */
export function circleTree(size) {
  const model = modelOf('statics');
  const store = storeOf(model, size);
  const { User, Post } = model;
  const view = store.query(from(User).with({ posts: User.posts.with({ comments: Post.comments }) }));
  let tree = view.current();
  view.subscribe(() => void (tree = view.current()));
  return {
    write: (index, text) => store.write(model.Comment, { id: `c${index}`, text }),
    seen: (index) => tree[index % size].posts[Math.floor((index % (size * 10)) / size)].comments[0].text,
  };
}
