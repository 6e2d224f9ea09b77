// @vitest-environment happy-dom
import { createElement, type ReactNode, Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { configure, render, screen, cleanup as unmountAll } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Controller } from '../../src/index.ts';
import { DataProvider, ErrorBoundary, type ErrorFallbackProps, useSuspense } from '../../src/react.ts';
import { type Fixture, MockResolver } from '../../src/testing.ts';
import { getTodo, sent } from './model.ts';

// The default is one second, which can be too short on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

beforeEach(() => void (sent.length = 0));
afterEach(() => unmountAll());

function Title({ id }: { readonly id: string }): ReactNode {
  return createElement('b', null, useSuspense(getTodo, { id }).title);
}

const fixture = (id: string, title: string): Fixture => ({
  endpoint: getTodo,
  args: [{ id }],
  response: { id, title },
});

/** A story in decorators, as in Storybook. */
function story(fixtures: readonly Fixture[], child: ReactNode): ReactNode {
  return createElement(MockResolver, { fixtures }, createElement(Suspense, { fallback: 'loading' }, child));
}

describe('MockResolver', () => {
  it('answers the requests of the components below it', async () => {
    render(createElement(DataProvider, null, story([fixture('5', 'a story')], createElement(Title, { id: '5' }))));
    expect(await screen.findByText('a story')).toBeDefined();
    expect(sent).toEqual([]);
  });

  it('answers the requests of its own components only, also beside another MockResolver of the same store', async () => {
    const controller = new Controller();
    render(
      createElement(
        DataProvider,
        { controller },
        story([fixture('5', 'one')], createElement(Title, { id: '5' })),
        story([fixture('6', 'other')], createElement(Title, { id: '6' })),
      ),
    );
    expect(await screen.findByText('one')).toBeDefined();
    expect(await screen.findByText('other')).toBeDefined();
    expect(controller.store.stats().rows).toBe(2);
  });

  it('has precedence over a MockResolver around it', async () => {
    render(
      createElement(
        DataProvider,
        null,
        createElement(
          MockResolver,
          { fixtures: [fixture('5', 'outer'), fixture('6', 'outer')] },
          story(
            [fixture('5', 'inner')],
            [createElement(Title, { key: 1, id: '5' }), createElement(Title, { key: 2, id: '6' })],
          ),
        ),
      ),
    );
    expect(await screen.findByText('inner')).toBeDefined();
    expect(await screen.findByText('outer')).toBeDefined();
  });

  it('lets requests through that it has no fixture for', async () => {
    const failed = createElement(ErrorBoundary, {
      fallbackComponent: ({ error }: { error: Error }) => createElement('i', null, error.message),
      children: createElement(Title, { id: '9' }),
    });
    render(createElement(DataProvider, null, story([fixture('5', 'x')], failed)));
    expect(await screen.findByText('GET http://api.test/todos/9 was sent')).toBeDefined();
  });

  it('is asked again when the user tries again in a boundary around it', async () => {
    let isDown = true;
    const endpoint = getTodo.extend({ errorExpiryLength: 100_000 });
    const fixtures = [
      {
        endpoint: getTodo,
        response({ id }: { id: string }) {
          if (isDown) throw new Error('down');
          return { id, title: 'up' };
        },
      },
    ];
    const Shown = (): ReactNode => createElement('b', null, useSuspense(endpoint, { id: '5' }).title);
    const page = createElement(ErrorBoundary, {
      fallbackComponent: ({ error, resetErrorBoundary }: ErrorFallbackProps) =>
        createElement('button', { onClick: resetErrorBoundary }, error.message),
      children: story(fixtures as never, createElement(Shown)),
    });
    render(createElement(DataProvider, null, page));
    const again = await screen.findByText('down');
    isDown = false;
    again.click();
    expect(await screen.findByText('up')).toBeDefined();
  });

  it('answers later requests with the fixtures of its last render, and keeps the shown data', async () => {
    const controller = new Controller();
    const tree = (fixtures: readonly Fixture[], id: string): ReactNode =>
      createElement(DataProvider, { controller }, story(fixtures, createElement(Title, { id })));
    const { rerender } = render(tree([fixture('5', 'first')], '5'));
    const shown = await screen.findByText('first');
    rerender(tree([fixture('5', 'second'), fixture('6', 'six')], '5'));
    expect(screen.getByText('first')).toBe(shown);
    rerender(tree([fixture('5', 'second'), fixture('6', 'six')], '6'));
    expect(await screen.findByText('six')).toBeDefined();
  });

  it('without fixtures changes nothing, and needs no document', () => {
    const html = renderToString(
      createElement(DataProvider, { controller: new Controller() }, createElement(MockResolver, null, 'child')),
    );
    expect(html).toBe('child');
  });

  it('outside of a provider throws the error provider-missing', () => {
    expect(() => renderToString(createElement(MockResolver, { fixtures: [] }))).toThrow('DataProvider');
  });
});
