import type { Fields } from '../../std/plain.ts';
import { findName } from '../../std/find-name.ts';
import { warn } from '../../std/warn.ts';

/**
 * Warns of likely mistakes in the options of an endpoint that types cannot see. `prototype` is that of its class: there is one warning for each
 * class, although a resource gives its options to six endpoints.
 */
export function checkOptions(prototype: object, options: Fields): void {
  // Any other unknown option may be one that the application reads.
  warn(prototype, 'option-unknown', () => {
    const known =
      'assign body caching Collection content dataExpiryLength Endpoint errorExpiryLength errorPolicy extra fetch fetchResponse getHeaders ' +
      'getOptimisticResponse getRequestInit idempotencyKey impliedResponse invalidIfStale key list method movePath name needs ' +
      'nonFilterArgumentKeys offline onResponse optimistic origins paginationField parseJson parseResponse path platform pollFrequency ' +
      'process refetches refresh requestInit retry schema searchParams searchToString serial sideEffect signal testKey timeout update url ' +
      'urlPrefix validate whole wire';
    const names = known.split(' ');
    for (const name of Object.keys(options)) {
      if (name.length < 5 || name in prototype || names.includes(name)) continue;
      const meant = findName(name, names) ?? names.find((other) => other.startsWith(name));
      if (meant !== undefined && name !== `${meant}s`) return `There is no option ${name}. Did you mean ${meant}?`;
    }
    return undefined;
  });
  warn(prototype, 'url-slashes', () => {
    const { urlPrefix, path } = options;
    const isDouble = String(urlPrefix).endsWith('/') && String(path).startsWith('/');
    return isDouble
      ? `The urlPrefix ${String(urlPrefix)} ends with /, and its path begins with /, so that the address has //. Remove one of them.`
      : undefined;
  });
}
