/** 96 random bits. */
export function randomText(): string {
  const parts = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(parts, (part) => part.toString(36).padStart(7, '0')).join('');
}
