import * as React from 'react';
import * as ReactDOM from 'react-dom';
import { expect, inject, test } from 'vitest';
import { Controller } from 'rejoin';
import { Post } from '../model.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the project promises. */
    readonly build: { readonly mode: 'development' | 'production'; readonly react: '18' | '19' | 'experimental' };
  }
}

/** `19.4.0-experimental-…` has more in it than `19.4.0`. */
function releaseOf(version: string): string | undefined {
  return /experimental/.exec(version)?.[0] ?? version.split('.')[0];
}

/** Without these, a run of an emulated or a real page could test a build twice and another never. */
export function build(): void {
  const { mode, react } = inject('build');

  test('of React has the version and the mode of its project', () => {
    expect([React.version, ReactDOM.version].map(releaseOf)).toEqual([react, react]);
    // Only the development build keeps what it has checked of an element.
    expect('_store' in <i />).toBe(mode === 'development');
    // A page may have been told by its bundler alone.
    expect(process.env.NODE_ENV).toBe(mode);
  });

  test('of ours freezes values in development, and nothing in production', () => {
    const controller = new Controller();
    void controller.set(Post, { id: '1' }, { id: '1' });
    expect(Object.isFrozen(controller.get(Post, { id: '1' }))).toBe(mode === 'development');
    controller.dispose();
  });
}
