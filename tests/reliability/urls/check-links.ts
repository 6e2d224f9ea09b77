import { cursorIn, type Link, linkTo, parseLinkHeader } from '../../../src/index.ts';
import { Random } from '../../oracle/random.ts';

interface Meant {
  readonly url: string;
  readonly params: readonly (readonly [name: string, value: string])[];
}

export interface LinksOutcome {
  readonly checked: number;
  readonly wrong: readonly string[];
}

const URLS = [
  'https://api.example/posts?page=2',
  '/posts?page=2&per_page=5',
  '?cursor=abc%3D%3D',
  'https://api.example/a,b;c=d?x="y"',
  '/path/with spaces',
  '',
  '#top',
  '//other.example/x',
  "it's",
  '/%3Cx%3E?cursor=%E2%82%AC',
];
const RELS = ['next', 'prev', 'first', 'last', 'next last', 'NEXT', '  prev   first ', 'https://rels.example/more', ''];
const TITLES = [
  'plain',
  'two words',
  'a, b; c=d',
  'say "hi"',
  'back\\slash',
  '<not a link>',
  'rel="next"',
  '',
  'x'.repeat(500),
];

/** Writes random links in one of the ways that the standard allows, and compares the parsed links with them. */
export function checkLinks(seed: number, runs: number): LinksOutcome {
  const random = new Random(seed);
  const wrong: string[] = [];
  for (let run = 0; run < runs; run++) {
    const links = Array.from({ length: 1 + random.below(5) }, () => drawLink(random));
    const header = links.map((link) => printed(link, random)).join(random.pick([',', ', ', ' ,\t', ',,']));
    const fault = faultOf(header, links);
    if (fault !== undefined) wrong.push(`${header}: ${fault}`);
    const hostile = broken(header, random);
    const worse = faultOfHostile(hostile);
    if (worse !== undefined) wrong.push(`${hostile}: ${worse}`);
  }
  return { checked: runs * 2, wrong };
}

function drawLink(random: Random): Meant {
  const params: [string, string][] = [['rel', random.pick(RELS)]];
  if (random.chance(0.5)) params.push(['title', random.pick(TITLES)]);
  if (random.chance(0.2)) params.push(['type', 'text/html']);
  return { url: random.pick(URLS), params };
}

function printed({ url, params }: Meant, random: Random): string {
  const space = (): string => random.pick(['', ' ', '\t', '  ']);
  const written = params.map(([name, value]) => {
    const isToken = /^[\w/.:-]+$/.test(value);
    const quoted = `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const key = random.pick([name, name.toUpperCase()]);
    if (name === 'title' && random.chance(0.3))
      return `${key}*=UTF-8''${encodeURIComponent(value).replaceAll("'", '%27')}`;
    return `${key}${space()}=${space()}${isToken && random.chance(0.5) ? value : quoted}`;
  });
  return `<${url}>${[...written].map((one) => `${space()};${space()}${one}`).join('')}${space()}`;
}

function faultOf(header: string, links: readonly Meant[]): string | undefined {
  const read = parseLinkHeader(header);
  if (read.length !== links.length) return `${read.length} links instead of ${links.length}`;
  for (const [at, { url, params }] of links.entries()) {
    const found = read[at] as Link;
    if (found.url !== url) return `link ${at} leads to ${found.url} instead of ${url}`;
    for (const [name, value] of params) {
      // A value that is not quoted has no spaces at its ends, so those in quotes are kept.
      if (found.params.get(name) !== value) return `${name} of link ${at} is ${found.params.get(name)}`;
    }
    const rels = (params[0]?.[1] ?? '').toLowerCase().split(' ').filter(Boolean);
    if (found.rels.join(' ') !== rels.join(' ')) return `link ${at} has the rels ${found.rels.join(' ')}`;
  }
  const next = links.find(({ params }) => (params[0]?.[1] ?? '').toLowerCase().split(' ').includes('next'));
  return linkTo(header, 'next') === next?.url ? undefined : `linkTo() is ${linkTo(header, 'next')}`;
}

/** Returns a header in which some characters are removed, doubled or changed. */
function broken(header: string, random: Random): string {
  let text = header;
  for (let times = 1 + random.below(6); times > 0; times--) {
    const at = random.below(text.length);
    const put = random.pick(['', '"', '<', '>', ',', ';', '=', '\\', "'", '*', '\u0000', 'é', text.slice(0, 50)]);
    text = text.slice(0, at) + put + text.slice(at + random.below(3));
  }
  return text;
}

function faultOfHostile(header: string): string | undefined {
  let links: readonly Link[];
  try {
    links = parseLinkHeader(header);
    cursorIn(header, 'page');
  } catch (error) {
    return `throws ${String(error)}`;
  }
  if (links.length > header.split('<').length - 1) return 'has more links than the header';
  const foreign = links.find(({ url }) => !header.includes(`<`) || !header.includes(url));
  return foreign === undefined ? undefined : `has a link that is not in it: ${foreign.url}`;
}
