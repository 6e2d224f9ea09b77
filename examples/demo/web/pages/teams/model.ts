import { ancestors, descendants, Entity, from, hasMany, resource } from 'rejoin';

export class Team extends Entity {
  id = 0;
  parentId: number | null = null;
  name = '';
  static key = 'Team';
  static parts = hasMany(() => Team, 'parentId').orderBy('name');
  static above = ancestors(() => Team, 'parentId');
  static below = descendants(() => Team, 'parentId');
}

// The API sends a flat list. The relations below turn it into a tree, which stays up to date.
export const teams = resource({ urlPrefix: '/api', path: '/teams/:id', schema: Team, optimistic: true });

export const roots = from(Team).where({ parentId: null }).orderBy('name');
