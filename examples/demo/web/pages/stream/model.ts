import { Entity, RestEndpoint } from 'rejoin';

class Stream extends Entity {
  username = '';
  title = '';
  game = '';
  currentViewers = 0;
  live = false;
  pk() {
    return this.username;
  }
  static key = 'Stream';
}

interface Answer {
  readonly title: string;
  readonly game: string;
  readonly current_viewers: number;
  readonly live: boolean;
}

export const getStream = new RestEndpoint({
  urlPrefix: '/api/streams',
  path: '/:username',
  schema: Stream,
  pollFrequency: 4000,
  process({ current_viewers, ...value }: Answer, { username }: { username: string }) {
    return { ...value, currentViewers: current_viewers, username };
  },
});

export const getUsernames = new RestEndpoint({
  urlPrefix: '/api',
  path: '/streams',
  process: (value: string[]) => value,
});
