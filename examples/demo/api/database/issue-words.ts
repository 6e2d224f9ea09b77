type Words = readonly [string, ...string[]];

/** Titles of issues by kind: a beginning, and what it is about. */
export const BUG_BEGINNINGS: Words = [
  'Crash when opening',
  'Wrong total in',
  'Slow scrolling in',
  'Blank page after saving',
  'Focus is lost in',
  'Duplicate rows in',
  'Time zone is ignored in',
  'Error message is missing in',
];
export const FEATURE_BEGINNINGS: Words = [
  'Keyboard shortcuts for',
  'Dark theme for',
  'Export to CSV from',
  'Drag and drop in',
  'Undo for',
  'Filter by date in',
  'Notifications for',
  'Offline support for',
];
export const CHORE_BEGINNINGS: Words = [
  'Upgrade the dependencies of',
  'Add tests for',
  'Document',
  'Remove dead code from',
  'Split up the module of',
  'Measure the load time of',
];
export const PLACES: Words = [
  'the invoice list',
  'the calendar',
  'the sign-in page',
  'the report editor',
  'the customer search',
  'the settings',
  'the order history',
  'the file upload',
  'the team page',
  'the dashboard',
  'the mobile menu',
  'the product page',
];
export const DETAILS: Words = [
  'Seen in the current release, on two machines.',
  'Three customers have asked for it this month.',
  'It happens only with more than a hundred entries.',
  'The design is ready; see the last comment.',
  'It was agreed on in the planning meeting.',
  'A first version can leave out the settings.',
  'Please check it on a phone as well.',
];
export const COMMENTS: Words = [
  'I can reproduce it.',
  'I cannot reproduce it with the latest build. Which browser was it?',
  'The cause is in the cache. I have a fix.',
  'Can we do this before the release?',
  'Looks good to me.',
  'Let us split this into two issues.',
  'I have added a test that fails.',
  'This also explains the other report.',
];
