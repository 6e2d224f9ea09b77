import { expect, test } from 'vitest';
import { settled, Transport } from '../../../tests/ordering/transport.ts';
import { Strict } from '../../../tests/model.ts';
import { resource } from '../../define/rest/resource.ts';
import { Union } from '../../define/schema/union.ts';
import { Controller } from './controller.ts';
import { recordName, tableAndPkOf } from './mutated-record.ts';

test.each([
  ['Post', '1'],
  ['Blog Post 2', '3 4'],
  ['', ''],
  ['7 Posts', 'temp:abc:1'],
])('the name of a record tells its table %j and its pk %j', (table, pk) => {
  const name = recordName(table, pk);

  const record = tableAndPkOf(name);

  expect(record).toEqual([table, pk]);
});

class Page extends Strict {
  slug = '';
  kind = '';
  isBad = false;
  static override key = 'Page';
  static override indexes: readonly string[] = ['slug'];
}

test.each([
  ['a class', Page],
  ['a union', new Union({ page: Page }, 'kind')],
])(
  'an edit of a record that cannot be built is sent, because it may be what mends the record: %s',
  async (_, schema) => {
    const transport = new Transport();
    const pages = resource({ path: '/pages/:slug', schema: schema as typeof Page, platform: transport });
    const controller = new Controller({ now: () => transport.time });
    await controller.set(Page, { id: '1' }, { id: '1', slug: 'home', isBad: true });
    expect(() => controller.get(Page, { id: '1' })).toThrow('mine');
    const edited = controller.fetch(pages.partialUpdate, { slug: 'home' }, { isBad: false });
    await settled();
    transport.take('PATCH /pages/home').answer({ id: '1', kind: 'page', slug: 'home', isBad: false });
    await edited;
    expect(controller.get(Page, { id: '1' })?.isBad).toBe(false);
  },
);
