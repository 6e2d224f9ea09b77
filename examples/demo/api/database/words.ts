type Words = readonly [string, ...string[]];

export const FIRST_NAMES: Words = [
  'Ann',
  'Bob',
  'Chloé',
  'Dmitri',
  'Eun-ji',
  'Farid',
  'Grace',
  'Hiro',
  'Inés',
  'Jürgen',
  'Kofi',
  'Leila',
  'Mateo',
  'Nkechi',
  'Oskar',
  'Priya',
  'Quinn',
  'Rosa',
  'Sven',
  'Tomás',
  'Uma',
  'Viktor',
  'Wei',
  'Ximena',
  'Yara',
  'Zoltán',
];
export const LAST_NAMES: Words = [
  'Abara',
  'Berg',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Haddad',
  'Ito',
  'Jansen',
  'Kim',
  'Lindqvist',
  'Moreau',
  'Nowak',
  'Okafor',
  'Park',
  'Rossi',
  'Sato',
  'Tanaka',
  'Usman',
  'Vega',
  'Weber',
  'Yilmaz',
  'Zhang',
];
export const OPENINGS: Words = [
  'Notes on',
  'A guide to',
  'The trouble with',
  'In praise of',
  'Rethinking',
  'What I learned from',
  'Against',
  'Ten years of',
];
export const SUBJECTS: Words = [
  'normalized data',
  'slow networks',
  'optimistic updates',
  'joins on the client',
  'stale caches',
  'long lists',
  'small bundles',
  'race conditions',
  'keyboard navigation',
  'time zones',
  'decimal numbers',
  'good error messages',
  'reverse lookups',
  'the back button',
];
export const SENTENCES: Words = [
  'Most of the work is deciding what belongs together.',
  'A record should have one home, and everything else should point to it.',
  'The network will fail at the worst possible moment, so plan for it.',
  'Whoever waits two seconds has already looked away.',
  'We measured it twice, because the first result was too good.',
  'The simplest thing that worked was also the fastest.',
  'Nobody notices when it works, and that is the point.',
];
export const REPLIES: Words = [
  'Exactly what I needed today.',
  'I am not convinced. Did you measure it?',
  'This deserves a second part.',
  'We had the same problem last year.',
  'Thank you for writing this down.',
  'Does it still hold with ten thousand rows?',
  'Sharing this with my team.',
  'The example in the middle made it click.',
];
export const TAGS: Words = [
  'data',
  'design',
  'networks',
  'performance',
  'react',
  'testing',
  'accessibility',
  'databases',
  'typescript',
  'offline',
  'streams',
  'tools',
];
export const TASKS: Words = [
  'Answer the letter from',
  'Prepare the meeting with',
  'Review the draft of',
  'Book a table for',
  'Return the book to',
  'Plan the trip with',
  'Call',
  'Thank',
];
export const GOODS: Words = [
  'bolt',
  'bracket',
  'cable',
  'filter',
  'gasket',
  'hinge',
  'lamp',
  'motor',
  'pump',
  'sensor',
  'switch',
  'valve',
];
export const FINISHES: Words = ['brass', 'carbon', 'ceramic', 'copper', 'nylon', 'rubber', 'steel', 'titanium'];
export const WAREHOUSES: Words = ['Antwerp', 'Busan', 'Gdańsk', 'Mombasa', 'Santos', 'Tacoma'];

/** id, name, price in USD, how many coins changed hands in 24 hours. The order by volume in USD is another one. */
export const CURRENCIES: readonly (readonly [string, string, string, number])[] = [
  ['ADA', 'Cardano', '0.452310000000000000', 410_250_118.5],
  ['BTC', 'Bitcoin', '67182.350000000000000001', 18_204.91],
  ['DOGE', 'Dogecoin', '0.123456789012345678', 1_204_552_911.25],
  ['DOT', 'Polkadot', '6.120000000000000000', 9_811_204.75],
  ['ETH', 'Ethereum', '3421.780000000000000000', 210_377.02],
  ['EURC', 'Euro Coin', '1.083500000000000000', 5_120_004],
  ['LINK', 'Chainlink', '14.330000000000000000', 7_402_551.5],
  ['LTC', 'Litecoin', '82.910000000000000000', 1_930_402.125],
  ['SOL', 'Solana', '148.920000000000000000', 6_120_559.25],
  ['XLM', 'Stellar', '0.101200000000000000', 190_114_020.5],
  ['XRP', 'XRP', '0.520100000000000000', 922_140_887.75],
  ['ZEC', 'Zcash', '24.480000000000000000', 0],
];

/** username, title, game, viewers, live */
export const STREAMS: readonly (readonly [string, string, string, number, boolean])[] = [
  ['ann', 'Learning the old openings', 'Chess', 1204, true],
  ['dmitri', 'No map, no mercy', 'Orienteering Simulator', 318, true],
  ['inés', 'Building a cathedral, day 12', 'Blocks', 8921, true],
  ['offline-olga', 'Back on Monday', 'Go', 0, false],
];

/** id, name (or none at all), type, text */
export const FILES: readonly (readonly [string, string | null, string, string])[] = [
  ['1', 'report.csv', 'text/csv; charset=utf-8', 'month,visits\n2026-01,1204\n2026-02,1391\n2026-03,1517\n'],
  ['2', 'résumé – 履歴書.txt', 'text/plain; charset=utf-8', 'A name that does not fit into ASCII.\n'],
  ['3', 'a "quoted"; name.json', 'application/json', '{ "tricky": true }\n'],
  ['4', null, 'application/octet-stream', '\u0000\u0001\u0002 bytes without a name'],
];

/** The name of each team, and the place in this list of the one that it is part of, counted from 1. */
export const TEAMS: readonly (readonly [string, number | null])[] = [
  ['Company', null],
  ['Engineering', 1],
  ['Product', 1],
  ['Sales', 1],
  ['Platform', 2],
  ['Web', 2],
  ['Mobile', 2],
  ['Storage', 5],
  ['Networks', 5],
  ['Design', 3],
  ['Research', 3],
  ['Europe', 4],
  ['Asia', 4],
  ['Search', 6],
];
