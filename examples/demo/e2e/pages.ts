/** The screens of the issue tracker. */
export const SCREENS: readonly string[] = [
  '/',
  '/issues/7',
  '/issues/board',
  '/issues/people',
  '/issues/search',
  '/issues/reports',
  '/issues/activity',
];

/** The pages that show how the library works. */
export const PATHS: readonly string[] = [
  '/overview',
  '/posts',
  '/reverse',
  '/circular',
  '/todos',
  '/currencies',
  '/board',
  '/teams',
  '/members',
  '/price',
  '/stream',
  '/ticker',
  '/key-case',
  '/feed',
  '/download',
  '/pushed',
  '/offline',
  '/races',
  '/rows',
];

/** Pages and screens that show their content without an answer of the API. */
export const WITHOUT_DATA: readonly string[] = ['/overview', '/issues/search'];
