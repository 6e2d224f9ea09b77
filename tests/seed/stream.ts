import { Entity } from 'rejoin';

/** A stream whose primary key is missing from the response. */
export class Stream extends Entity {
  username = '';
  title = '';
  game = '';
  currentViewers = 0;
  live = false;
  override pk(): string {
    return this.username;
  }
  static override key = 'Stream';
}
