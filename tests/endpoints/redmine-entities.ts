import { Entity } from '../../src/index.ts';

export class Status extends Entity {
  id = 0;
  name = '';
  static key = 'Status';
}

export class User extends Entity {
  id = 0;
  name = '';
  static key = 'User';
}

export class Project extends Entity {
  id = 0;
  name = '';
  static key = 'Project';
}

export class Journal extends Entity {
  id = 0;
  notes = '';
  user?: User;
  static key = 'Journal';
  static schema = { user: User };
}

export class Issue extends Entity {
  id = 0;
  subject = '';
  description = '';
  done_ratio = 0;
  project?: Project;
  status?: Status;
  assigned_to?: User;
  journals: Journal[] = [];
  static key = 'Issue';
  static schema = { project: Project, status: Status, assigned_to: User, journals: [Journal] };
}
