// Shows the model and the store step by step in a terminal. Run it with `npm run tour` at the root of the repository.
import { All, Collection, Entity, Query, Store, addGuess } from 'rejoin';
import { chapter, show, table } from './print.ts';

class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

class Comment extends Entity {
  id = '';
  content = '';
  commenter = User.fromJS();
  static key = 'Comment';
  static schema = { commenter: User };
}

class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  comments: Comment[] = [];
  static key = 'Post';
  static schema = {
    author: User,
    comments: new Collection([Comment], { nestKey: (post: Post) => ({ postId: post.id }) }),
  };
}

const posts = new Collection([Post]);
const ann = { id: '1', name: 'Ann' };
const bob = { id: '2', name: 'Bob' };
/** The answer of `GET /posts`. It contains Ann three times. */
const response = [
  {
    id: '10',
    title: 'Joining what the API nests',
    author: ann,
    comments: [{ id: '100', content: 'Nice!', commenter: bob }],
  },
  {
    id: '11',
    title: 'One record, one object',
    author: bob,
    comments: [{ id: '101', content: 'Yes.', commenter: ann }],
  },
  { id: '12', title: 'A chain of guesses', author: ann, comments: [] },
];

const store = new Store();
const readPosts = (): readonly Post[] => store.get(posts) ?? [];
const readPost = (id: string): Post => store.get(Post, { id }) ?? Post.fromJS();

chapter('One nested response is stored as rows of tables');
store.write(posts, response);
table(
  'User',
  ['1', '2'].map((pk) => store.row('User', pk)),
);
table(
  'Comment',
  ['100', '101'].map((pk) => store.row('Comment', pk)),
);
table(
  'Post',
  ['10', '11', '12'].map((pk) => store.row('Post', pk)),
);

chapter('A read joins the rows again');
for (const { title, author, comments } of readPosts())
  show(
    `“${title}” by ${author.name}`,
    comments.map(({ content, commenter }) => `${commenter.name}: ${content}`).join(' '),
  );
show('an instance of the class', readPost('10') instanceof Post);

chapter('One record is one object, wherever it is read');
show('the author of post 10 is the author of post 12', readPost('10').author === readPost('12').author);
show('… and the commenter of post 11', readPost('10').author === readPost('11').comments[0]?.commenter);

chapter('A value becomes a new object only if data in it has changed');
const [before10, before11, before12] = readPosts();
store.write(User, { id: '2', name: 'Bobby' });
const [after10, after11, after12] = readPosts();
show('Bob is Bobby where he comments', after10?.comments[0]?.commenter.name);
show('post 10 is another object', before10 !== after10);
show('post 11 is another object', before11 !== after11);
show('post 12, without Bob, is the same object', before12 === after12);
store.write(posts, [{ id: '10', title: 'Joining what the API nests' }, { id: '11' }, { id: '12' }]);
show('the same answer again: the same list', readPosts()[0] === after10);

chapter('A query is memoized, like every other value');
const byAnn = new Query(new All(Post), (all: readonly Post[], { name }: { name: string }) =>
  all.filter(({ author }) => author.name === name).map(({ title }) => title),
);
show('titles by Ann', store.get(byAnn, { name: 'Ann' })?.join(' · '));
show('read twice, the same array', store.get(byAnn, { name: 'Ann' }) === store.get(byAnn, { name: 'Ann' }));

chapter('An optimistic update is a layer on top, and its removal leaves nothing behind');
const calls: string[] = [];
const stop = store.query(Post, [{ id: '10' }]).subscribe(() => calls.push(readPost('10').title));
const untouched = readPost('10');
const layer = addGuess(store, (snapshot) => {
  const post = snapshot.get(Post, { id: '10' });
  return post && { schema: Post, response: { id: '10', title: `${post.title}!` } };
});
show('while the request is in flight', readPost('10').title);
store.write(Post, { id: '10', title: 'Joining, second edition' });
show('another answer arrives: the guess is made again', readPost('10').title);
layer.drop();
show('the request failed', readPost('10').title);
store.write(Post, { id: '10', title: untouched.title });
show('titles that the reader of post 10 was notified of', calls.join(' → '));
stop();

chapter('A bad response changes nothing');
try {
  store.write(posts, [{ id: '13', title: 'Fine' }, { title: 'Nameless' }]);
} catch (error) {
  show(error instanceof Error ? error.name : 'thrown', error instanceof Error ? error.message : error);
}
show('post 13 was not stored', store.row('Post', '13') === undefined);
