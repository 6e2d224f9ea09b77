/** Every page of the demo. */
export const PATHS: readonly string[] = [
  '/',
  '/posts',
  '/reverse',
  '/circular',
  '/todos',
  '/currencies',
  '/board',
  '/price',
  '/stream',
  '/ticker',
  '/key-case',
  '/feed',
  '/download',
  '/pushed',
  '/races',
  '/rows',
];
