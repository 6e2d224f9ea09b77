import { describe, expect, test } from 'vitest';
import { type Cipher, encryptedStorage, memoryStorage } from 'rejoin/persist';
import { checkStorage } from 'rejoin/testing';
import { deferred } from '../../src/std/deferred.ts';
import { Todo } from '../model.ts';
import { rowsOf, start } from './app.ts';

/** AES-GCM of WebCrypto, with a new nonce for each text. */
async function aes(): Promise<Cipher> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const toText = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return {
    encrypt: async (text) => {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const made = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
      return `${toText(iv)} ${toText(new Uint8Array(made))}`;
    },
    decrypt: async (text) => {
      const [iv, made] = text.split(' ').map((part) => Uint8Array.from(atob(part), (char) => char.charCodeAt(0)));
      if (iv === undefined || made === undefined) throw new TypeError('not encrypted');
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, made));
    },
  };
}

describe('an encrypted storage', () => {
  test('passes checkStorage()', async () => {
    await expect(checkStorage(encryptedStorage(memoryStorage(), await aes()))).resolves.toBeUndefined();
  });

  test('writes and clears in the order of the calls, though an earlier write takes longer to encrypt, and goes on if one fails', async () => {
    const slow = deferred();
    const encrypt = async (text: string): Promise<string> => {
      if (text === 'refused') throw new Error(text);
      if (text === 'slow') await slow.promise;
      return text;
    };
    const inner = memoryStorage();
    const opened = await encryptedStorage(inner, { encrypt, decrypt: async (text) => text }).open('app');
    const write = (key: string, value: string): Promise<void> => opened.write(new Map([[key, value]]));
    const cleared = [write('a', 'slow'), opened.clear()];
    const refused = write('a', 'refused');
    const written = [write('a', 'slow'), write('b', 'fast'), write('a', 'fast')];
    slow.resolve();
    await expect(refused).rejects.toThrow('refused');
    await Promise.all([...cleared, ...written]);
    expect([...(await (await inner.open('app')).read()).entries]).toEqual([
      ['a', 'fast'],
      ['b', 'fast'],
    ]);
  });

  test('is read again with its key, and contains no text of the user', async () => {
    const [inner, cipher] = [memoryStorage(), await aes()];
    const storage = encryptedStorage(inner, cipher);
    const { store, persist } = await start({ storage });
    store.write(Todo, { id: '1', title: 'a secret' });
    await persist.flush();
    const { entries } = await (await inner.open('app')).read();
    expect(JSON.stringify([...entries])).not.toContain('secret');
    expect(rowsOf((await start({ storage })).store)).toEqual({ 'Todo 1': { id: '1', title: 'a secret' } });
  });

  test('counts as damaged with another key, and the application continues', async () => {
    const inner = memoryStorage();
    const { store, persist } = await start({ storage: encryptedStorage(inner, await aes()) });
    store.write([Todo], ['1', '2', '3'].map((id) => ({ id, title: 'a secret' }))); // prettier-ignore
    await persist.flush();
    const other = await start({ storage: encryptedStorage(inner, await aes()) });
    expect(other.events).toMatchObject([{ type: 'dropped', reason: 'damage', entries: 4 }]); // with the entry about all of them
    expect(rowsOf(other.store)).toEqual({});
  });
});
