/** 96 random bits. React Native has no `crypto`, so there they can be guessed. */
export function randomText(): string {
  const given = new Uint32Array(3);
  const parts = globalThis.crypto?.getRandomValues(given) ?? given.map(() => Math.random() * 2 ** 32);
  return Array.from(parts, (part) => part.toString(36).padStart(7, '0')).join('');
}
