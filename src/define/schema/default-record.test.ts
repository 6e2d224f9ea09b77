import { describe, expect, it } from 'vitest';
import { Post, User } from '../../../tests/model.ts';
import { All, Collection, Controller, Endpoint, Entity, Store } from '../../index.ts';
import { isDefaultRecord } from './default-record.ts';

class Team extends Entity {
  id = '';
  since = new Date(0);
  lead = User.fromJS();
  tags: string[] = [];
  static override key = 'Team';
  static override schema = { lead: User };
}
class Member extends Entity {
  id = '';
  team = Team.fromJS();
  static override key = 'Member';
  static override schema = { team: Team };
}

describe('a record with the default of a relation that was not loaded', () => {
  it('can be changed by a function that copies it', async () => {
    const controller = new Controller();
    await controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    await controller.set(Post, { id: '1' }, (post) => Object.assign({}, post, { title: 'b' }));
    expect(controller.get(Post, { id: '1' })).toEqual(Post.fromJS({ id: '1', title: 'b' }));
    await controller.set(User, { id: '7' }, { id: '7', name: 'Ann' });
    await controller.set(Post, { id: '1' }, { id: '1', author: '7' });
    expect(controller.get(Post, { id: '1' })?.author.name).toBe('Ann');
  });

  it('can be written into another store', () => {
    const [one, other] = [new Store(), new Store()];
    one.write(Member, { id: '1' });
    const member = one.get(Member, { id: '1' });
    other.write([Member], [member]);
    expect(other.get(Member, { id: '1' })).toEqual(member);
    expect(other.stats().rows).toBe(1);
  });

  it('creates no record of the relation when it is created optimistically', () => {
    const controller = new Controller();
    const create = new Endpoint((_post: Post) => new Promise<Post>(() => {}), {
      name: 'create',
      schema: new Collection([Post]).push,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, post) => post,
    });
    void controller.fetch(create, Post.fromJS({ title: 'new' }));
    expect(controller.get(new All(Post))?.map(({ title }) => title)).toEqual(['new']);
    expect(controller.get(new All(User))).toBeUndefined();
  });

  it('is refused if the relation has data, but no pk', () => {
    const write = () => new Store().write(Post, { id: '1', author: User.fromJS({ name: 'Ann' }) });
    expect(write).toThrow('found no primary key');
    expect(() => new Store().write(Post, { id: '1', author: { id: '', name: '' } })).toThrow('found no primary key');
  });
});

describe('isDefaultRecord', () => {
  it.each([
    [Team.fromJS(), true],
    [User.fromJS({}), true],
    [Team.fromJS({ tags: ['a'] }), false],
    [Team.fromJS({ lead: User.fromJS({ name: 'Ann' }) }), false],
    [{ id: '', name: '' }, false],
    [Object.create(null), false],
    [new Date(0), false],
  ])('%# is %s', (value: object, isDefault) => {
    expect(isDefaultRecord(value)).toBe(isDefault);
  });
});
