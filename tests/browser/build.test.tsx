import * as React from 'react';
import { expect, test } from 'vitest';
import { Controller, Entity } from 'rejoin';

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

const isProduction = process.env.NODE_ENV === 'production';

test('a production build has the production build of React, and freezes nothing', () => {
  const controller = new Controller();
  void controller.set(Post, { id: '1' }, { id: '1' });
  expect(Object.isFrozen(controller.get(Post, { id: '1' }))).toBe(!isProduction);
  if (React.version.startsWith('19')) expect((React as { act?: unknown }).act === undefined).toBe(isProduction);
});
