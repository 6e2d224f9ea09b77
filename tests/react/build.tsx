import * as React from 'react';
import * as ReactDOM from 'react-dom';
import { expect, inject, test } from 'vitest';
import { Controller } from 'rejoin';
import { Post } from '../model.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The build that the test project uses. */
    readonly build: { readonly mode: 'development' | 'production'; readonly react: '18' | '19' | 'experimental' };
  }
}

/** Version `19.4.0-experimental-…` is not the release `19`. */
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
    // In a page, only the bundler may have set this.
    expect(process.env.NODE_ENV).toBe(mode);
  });

  test('of this library freezes values in development, and not in production', () => {
    const controller = new Controller();
    void controller.set(Post, { id: '1' }, { id: '1' });
    expect(Object.isFrozen(controller.get(Post, { id: '1' }))).toBe(mode === 'development');
    controller.dispose();
  });
}
