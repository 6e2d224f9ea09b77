// @vitest-environment happy-dom
// A file of its own, because React 18 renders nothing more after such an error.
import { useEffect } from 'react';
import { expect, test } from 'vitest';
import { useController } from '../../src/react.ts';
import { cleanup, renderDataHook } from '../../src/testing.ts';
import { count } from './model.ts';

test('cleanup ends every hook, also if one throws when it is unmounted', async () => {
  const failing = renderDataHook(() => {
    useEffect(
      () => () => {
        throw new Error('unmounted badly');
      },
      [],
    );
    return useController();
  });
  const other = renderDataHook(() => useController());
  expect(() => cleanup()).toThrow('unmounted badly');
  for (const { controller } of [failing, other])
    await expect(controller.fetch(count, 'a')).rejects.toMatchObject({ code: 'controller-disposed' });
  cleanup();
});
