import { Entity, resource } from 'rejoin';

export class Post extends Entity {
  id = '';
  title = '';
  body = '';
  static key = 'Post';
}

export const posts = resource({ path: '/api/posts/:id', urlPrefix: 'http://localhost', schema: Post });
