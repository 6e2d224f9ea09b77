import { describe, expect, it, onTestFinished } from 'vitest';
import { All, Collection, Entity, Query, Store, Union, Values } from '../../index.ts';

class User extends Entity {
  id = '';
  name = '';
  posts: Post[] = [];
  best: Comment | undefined = undefined;
  friend: User | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema: Record<string, unknown> = {};
}
class Comment extends Entity {
  id = '';
  text = '';
  post: Post | undefined = undefined;
  commenter: User | undefined = undefined;
  static override key = 'Comment';
  static override schema = { post: Post, commenter: User };
}
User.schema = { posts: [Post], best: Comment, friend: User };
Post.schema = { author: User, comments: [Comment] };

const user = (store: Store): User => store.get(User, 'u1') as User;
const post = (store: Store): Post => store.get(Post, 'p1') as Post;
const comment = (store: Store): Comment => store.get(Comment, 'c1') as Comment;

describe('a record that refers to itself', () => {
  it('contains itself, and changes as a whole', () => {
    const store = new Store();
    store.write(User, { id: 'u1', name: 'a', friend: 'u1' });
    const before = user(store);
    expect(before.friend).toBe(before);
    store.write(User, { id: 'u1', name: 'b' });
    expect(user(store).friend).toBe(user(store));
    expect(user(store).friend?.name).toBe('b');
    expect(before.friend?.name).toBe('a');
  });
});

describe('two records that refer to each other', () => {
  const filled = (): Store => {
    const store = new Store();
    store.write(Post, { id: 'p1', title: 'a', author: { id: 'u1', name: 'x', posts: ['p1'] } });
    return store;
  };

  it('are one consistent pair, whichever is read first', () => {
    for (const first of [user, post]) {
      const store = filled();
      first(store);
      expect(post(store).author).toBe(user(store));
      expect(user(store).posts[0]).toBe(post(store));
    }
  });

  it('change together or not at all', () => {
    const store = filled();
    const [wasUser, wasPost] = [user(store), post(store)];
    store.write(User, { id: 'u2' });
    expect([user(store), post(store)]).toEqual([wasUser, wasPost]);
    expect(user(store)).toBe(wasUser);
    store.write(Post, { id: 'p1', title: 'b' });
    expect(user(store)).not.toBe(wasUser);
    expect(user(store).posts[0]?.title).toBe('b');
    expect(post(store).author).toBe(user(store));
  });

  it('keep their objects when their data is restored between two reads', () => {
    const store = filled();
    const [wasUser, wasPost] = [user(store), post(store)];
    store.write(Post, { id: 'p1', title: 'b' });
    store.write(Post, { id: 'p1', title: 'a' });
    expect(user(store)).toBe(wasUser);
    expect(post(store)).toBe(wasPost);
  });

  it('can lose their references to each other, and get them back', () => {
    const store = filled();
    user(store);
    store.write(Post, { id: 'p1', author: null });
    expect(user(store).posts[0]?.author).toBeNull();
    store.write(Post, { id: 'p1', author: 'u1' });
    expect(user(store).posts[0]?.author).toBe(user(store));
  });
});

describe('three records in a cycle', () => {
  const filled = (): Store => {
    const store = new Store();
    store.write(User, {
      id: 'u1',
      name: 'x',
      posts: [{ id: 'p1', comments: [{ id: 'c1', text: 'a', commenter: 'u1' }] }],
    });
    return store;
  };

  it.each([
    ['the user', user],
    ['the post', post],
    ['the comment', comment],
  ])('are whole when %s is read first, before and after a change', (_name, first) => {
    const store = filled();
    first(store);
    expect(user(store).posts[0]?.comments[0]?.commenter).toBe(user(store));
    store.write(Comment, { id: 'c1', text: 'b' });
    first(store);
    expect(comment(store).text).toBe('b');
    expect(user(store).posts[0]).toBe(post(store));
    expect(post(store).comments[0]).toBe(comment(store));
    expect(comment(store).commenter).toBe(user(store));
  });

  it('each notify their observers once of a change of one', () => {
    const store = filled();
    const calls: string[] = [];
    for (const [schema, pk] of [
      [User, 'u1'],
      [Post, 'p1'],
      [Comment, 'c1'],
    ] as const)
      store.query(schema, [pk]).subscribe(() => calls.push(pk));
    store.write(Post, { id: 'p1', title: 'new' });
    expect(calls.sort()).toEqual(['c1', 'p1', 'u1']);
  });

  it('form one cycle with another cycle that has one of them', () => {
    const store = filled();
    store.write(User, { id: 'u1', best: { id: 'c2', commenter: 'u1' }, friend: 'u1' });
    const best = store.get(Comment, 'c2') as Comment;
    expect(user(store).best).toBe(best);
    expect(best.commenter?.posts[0]?.comments[0]).toBe(comment(store));
  });
});

describe('a cycle with a required part', () => {
  class Owner extends Entity {
    id = '';
    item: unknown = undefined;
    static override key = 'Owner';
    static override schema: Record<string, unknown> = {};
  }
  class Thing extends Entity {
    id = '';
    owner: Owner = Owner.fromJS();
    user: User = User.fromJS();
    static override key = 'Thing';
    static override schema = { owner: Owner, user: User };
  }
  Owner.schema = { item: Thing };

  it('loses a part that became invalid, and is whole again afterwards', () => {
    const store = new Store();
    store.write(Thing, { id: 't', owner: { id: 'o', item: 't' }, user: { id: 'u1' } });
    const owner = (): Owner => store.get(Owner, 'o') as Owner;
    expect(owner().item).toBe(store.get(Thing, 't'));
    store.invalidate(User, 'u1');
    expect(owner().item).toBeUndefined();
    expect(store.get(Thing, 't')).toBeUndefined();
    store.write(User, { id: 'u1' });
    expect(owner().item).toBe(store.get(Thing, 't'));
    store.invalidate(Owner, 'o');
    expect(store.get(Thing, 't')).toBeUndefined();
    store.write(Owner, { id: 'o', item: 't' });
    expect((store.get(Thing, 't') as Thing).owner).toBe(owner());
  });

  it('keeps its objects while a part is invalid, if its data is restored between two reads', () => {
    Owner.schema = { item: [Thing] };
    onTestFinished(() => void (Owner.schema = { item: Thing }));
    const store = new Store();
    store.write(Thing, { id: 't', owner: { id: 'o', item: ['t', 'other'] }, user: { id: 'u1' } });
    store.write(Thing, { id: 'other', owner: 'o', user: { id: 'u2', name: 'a' } });
    store.invalidate(User, 'u1');
    const owner = store.get(Owner, 'o');
    expect(owner?.item).toEqual([store.get(Thing, 'other')]);
    for (const name of ['b', 'a']) store.write(User, { id: 'u2', name });
    expect(store.get(Owner, 'o')).toBe(owner);
  });
});

describe('a cycle through a stored list', () => {
  class Team extends Entity {
    id = '';
    name = '';
    members: Member[] = [];
    static override key = 'Team';
    static override schema: Record<string, unknown> = {};
  }
  class Member extends Entity {
    id = '';
    team: Team | undefined = undefined;
    static override key = 'Member';
    static override schema = { team: Team };
  }
  const members = new Collection([Member], { nestKey: (team: Team) => ({ team: team.id }) });
  Team.schema = { members };

  it('is whole, and its list loses and gains members', () => {
    const store = new Store();
    store.write(Team, { id: 't', members: [{ id: '1', team: 't' }, { id: '2', team: 't' }] }); // prettier-ignore
    const team = (): Team => store.get(Team, 't') as Team;
    expect(team().members.map((member) => member.team)).toEqual([team(), team()]);
    expect(team().members).toBe(store.read(members, '{"team":"t"}'));
    const before = team();
    for (const name of ['x', '']) store.write(Team, { id: 't', name });
    expect(team()).not.toBe(before);
    const whole = team();
    store.write(Team, { id: 't', name: 'x' });
    store.write(Team, { id: 't', name: '' });
    expect(team()).toBe(whole);
    store.invalidate(Member, '1');
    expect(team().members).toEqual([store.get(Member, '2')]);
    store.write(Team, { id: 't', name: 'x' });
    expect(team().members[0]?.team).toBe(team());
    store.invalidate(members, '{"team":"t"}');
    expect(store.get(Team, 't')).toBeUndefined();
  });
});

describe('a cycle through other schemas', () => {
  class Node extends Entity {
    id = '';
    name = '';
    kind = 'node';
    links: Record<string, Node> = {};
    any: unknown = undefined;
    kids: Node[] = [];
    names: unknown = undefined;
    pair: { left: Node } | undefined = undefined;
    static override key = 'Node';
    static override schema: Record<string, unknown> = {};
  }
  Node.schema = {
    links: new Values(Node),
    any: new Union({ node: Node }, 'kind'),
    kids: new Collection([Node], { nestKey: (node: Node) => ({ node: node.id }) }),
    pair: { left: Node },
    names: new Query([Node], (nodes: Node[]) => nodes.map(({ name }) => name).join()),
  };
  const node = (store: Store, pk: string): Node => store.get(Node, pk) as Node;

  it('is whole', () => {
    const store = new Store();
    store.write(Node, {
      id: 'a',
      name: 'A',
      links: { b: { id: 'b', name: 'B', any: { kind: 'node', id: 'a' } } },
      kids: ['b', 'a'],
      pair: { left: 'a' },
    });
    for (const name of ['A', 'A2']) {
      store.write(Node, { id: 'a', name });
      const a = node(store, 'a');
      expect(a.name).toBe(name);
      expect(a.links['b']).toBe(node(store, 'b'));
      expect((a.links['b'] as Node).any).toBe(a);
      expect(a.kids).toEqual([node(store, 'b'), a]);
      expect(a.pair?.left).toBe(a);
    }
  });

  it('has filled records when the function of a Query reads them', () => {
    const store = new Store();
    store.write(Node, { id: 'a', name: 'A', names: [{ id: 'a' }, { id: 'b', name: 'B', names: ['a'] }] });
    expect(node(store, 'a').names).toBe('A,B');
    expect(node(store, 'b').names).toBe('A');
    store.write(Node, { id: 'a', name: 'X' });
    expect(node(store, 'a').names).toBe('X,B');
    expect(node(store, 'b').names).toBe('X');
  });

  it('loses an entry whose record is deleted, and has it again when the record is back', () => {
    const store = new Store();
    store.write(Node, { id: 'a', links: { a: 'a', b: { id: 'b', links: { a: 'a' } } } });
    node(store, 'a');
    store.invalidate(Node, 'b');
    expect(Object.keys(node(store, 'a').links)).toEqual(['a']);
    store.write(Node, { id: 'b' });
    expect(node(store, 'a').links['b']).toBe(node(store, 'b'));
  });
});

describe('a function of a schema in a cycle', () => {
  class Person extends Entity {
    id = '';
    name = '';
    boss: Person | undefined = undefined;
    team: unknown = undefined;
    text: unknown = undefined;
    longText: unknown = undefined;
    static override key = 'Person';
    static override schema: Record<string, unknown> = {};
  }
  const person = (store: Store, pk: string): Person => store.get(Person, pk) as Person;
  const filled = (count = 2): Store => {
    const store = new Store();
    const pks = Array.from({ length: count }, (_, at) => `${at}`);
    const next = (pk: string): string => `${(Number(pk) + 1) % count}`;
    const team = pks.map(next);
    store.write([Person], pks.map((id) => ({ id, name: `n${id}`, boss: next(id), team, text: team, longText: team }))); // prettier-ignore
    return store;
  };

  it.each(['0', '1', '2'])('gets the records that a record refers to, if %s is read first', (first) => {
    Person.schema = {
      boss: Person,
      team: new Query([Person], (people: Person[]) => people.map(({ boss }) => boss?.name.toUpperCase()).join()),
    };
    const store = filled(3);
    person(store, first);
    expect(person(store, '0').team).toBe('N2,N0,N1');
    store.write(Person, { id: '1', name: 'new' });
    person(store, first);
    expect(person(store, '2').team).toBe('N2,N0,NEW');
  });

  it.each(['0', '1'])('gets what other functions return, and may need it, if %s is read first', (first) => {
    const namesOf = (people: Person[]): string => people.map(({ name }) => name.toUpperCase()).join();
    const textOf = (field: 'team' | 'text') => (people: Person[]) =>
      people.map((one) => (one[field] as string).toLowerCase()).join('+');
    Person.schema = {
      boss: Person,
      longText: new Query([Person], textOf('text')),
      text: new Query([Person], textOf('team')),
      team: new Query([Person], namesOf),
    };
    const store = filled();
    person(store, first);
    expect(person(store, '0').text).toBe('n1,n0+n1,n0');
    expect(person(store, '1').longText).toBe('n1,n0+n1,n0+n1,n0+n1,n0');
    store.write(Person, { id: '1', name: 'new' });
    expect(person(store, first).longText).toBe('new,n0+new,n0+new,n0+new,n0');
  });

  it.each(['0', '1'])('may fail after a change, and succeeds after the next, if %s is read', (read) => {
    Person.schema = {
      boss: Person,
      team: new Query([Person], (people: Person[]) => people.map(({ name }) => name.trim()).join()),
    };
    const store = filled();
    person(store, '0');
    for (const name of ['a', 'b']) {
      store.write(Person, { id: '1', name: null });
      for (let times = 0; times < 2; times++) expect(() => person(store, read)).toThrow('Cannot read');
      store.write(Person, { id: '1', name });
      expect(person(store, read).boss?.boss).toBe(person(store, read));
      expect(person(store, '0').team).toBe(`${name},n0`);
    }
  });

  it('fails if it also throws for complete records, and succeeds after a change', () => {
    Person.schema = { team: new Query([Person], (people: Person[]) => people.map(({ name }) => name.trim()).join()) };
    const store = filled();
    store.write(Person, { id: '1', name: null });
    expect(() => person(store, '0')).toThrow(expect.objectContaining({ code: 'hook-failed' }));
    store.write(Person, { id: '1', name: 'new' });
    expect(person(store, '0').team).toBe('new,n0');
  });

  it('runs only a few times if it returns another object each time', () => {
    let runs = 0;
    Person.schema = {
      team: new Query([Person], (people: Person[]) => {
        runs++;
        return new Set(people);
      }),
    };
    const store = filled(1);
    expect(person(store, '0').team).toEqual(new Set([person(store, '0')]));
    expect(runs).toBeLessThan(15);
  });

  it.each(['all', 'one'])('gets all records of the class, if %s is read first', (first) => {
    const all = new All(Person);
    Person.schema = { team: new Query(all, (people: Person[]) => (people.at(-1) as Person).name.toUpperCase()) };
    const store = filled(3);
    const read = (): unknown => (first === 'all' ? store.get(all) : person(store, '1'));
    read();
    expect(person(store, '1').team).toBe('N2');
    store.write(Person, { id: '3', name: 'new', team: [] });
    read();
    expect(person(store, '1').team).toBe('NEW');
    expect(store.get(all)).toEqual(['0', '1', '2', '3'].map((pk) => person(store, pk)));
    expect(store.get(all)?.[1]).toBe(person(store, '1'));
  });
});
