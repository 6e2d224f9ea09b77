import { resolve } from 'node:path';

const modules = resolve(import.meta.dirname, '../node_modules');
const newest = resolve(import.meta.dirname, '../../node_modules');

/** The React with which a page is bundled. Every library runs on 18.3, the newest that the newest packages of data-client support. */
const react18 = { react: `${modules}/react`, 'react-dom': `${modules}/react-dom` };
const react19 = { react: `${newest}/react`, 'react-dom': `${newest}/react-dom` };

const column = (file, react, packages) => ({ file: `${file}.jsx`, react, packages });

/** The libraries by the names of their columns. `packages` are the packages whose versions are printed. */
export const columns = {
  rejoin: column('rejoin', react18, []),
  'data-client': column('data-client', react18, ['@data-client/react', '@data-client/core', '@data-client/rest']),
  'TanStack Query': column('tanstack-query', react18, ['@tanstack/react-query']),
  SWR: column('swr', react18, ['swr']),
  React: column('react', react18, []),
  'rejoin on 19': column('rejoin', react19, []),
  'React 19': column('react', react19, []),
};

export const PEERS = ['data-client', 'TanStack Query', 'SWR'];

/** The column with which each column of Rejoin is compared: the same page without a library, with the same React. */
export const FLOORS = { rejoin: 'React', 'rejoin on 19': 'React 19' };
