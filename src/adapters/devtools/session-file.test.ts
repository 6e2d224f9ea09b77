import { expect, test } from 'vitest';
import { Controller } from '../../control/controller/controller.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { User } from '../../../tests/model.ts';
import { Journal } from './journal.ts';
import { importedSession, sessionText } from './session-file.ts';

const login = new Endpoint(async ({ name }: { readonly name: string; readonly password: string }) => ({ name }), {
  name: 'login',
  sideEffect: true,
});

test('no part of an exported session has the values of secret fields', async () => {
  const journal = new Journal();
  const middleware = (controller: Journal['controller']) => {
    journal.controller = controller;
    return (next: Parameters<Journal['pass']>[1]) => (action: Parameters<Journal['pass']>[0]) =>
      journal.pass(action, next);
  };
  let pin = 1111;
  const getUser = new Endpoint(async () => ({ id: '1', name: 'Ann', pin, login: { accessToken: 'abc' } }), {
    name: 'getUser',
    schema: User,
  });
  const controller = new Controller({ managers: [{ middleware, cleanup: () => {} }] });
  const stop = journal.start();
  const unsubscribe = controller.view(getUser).subscribe(() => {});
  await controller.fetch(getUser);
  pin = 2222;
  await controller.fetch(getUser);
  await controller.fetch(login, { name: 'Ann', password: 'hunter2' });
  await controller.set(User, { id: '1' }, { id: '1', login: { accessToken: 'def' } } as object);
  await Promise.resolve();
  const text = sessionText(journal, ['PIN']);
  expect(text).toContain('Ann');
  for (const secret of ['hunter2', '1111', '2222', 'abc', 'def']) expect(text).not.toContain(secret);
  expect(importedSession(text).shown()).toHaveLength(1);
  unsubscribe();
  stop();
  controller.dispose();
});
