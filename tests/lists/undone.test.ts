import { expect, test } from 'vitest';
import { Collection, Entity, Store } from '../../src/index.ts';
import { addGuess } from '../../src/state/store/layer.ts';

class Deal extends Entity {
  id = '';
  stage = '';
  static override key = 'Deal';
}

const deals = new Collection([Deal]);
const open = { args: [{ stage: 'open' }] };

function undone(run: (store: Store) => void, store: Store): void {
  const failing = (): void =>
    store.batch(() => {
      run(store);
      throw new Error('undone');
    });
  expect(failing).toThrow('undone');
}

/** Creates a deal, and returns the stages of those in the list of open ones while the create is pending. */
function stagesAfterCreate(store: Store): readonly string[] | undefined {
  const layer = addGuess(store, () => ({ schema: deals.push, response: { stage: 'open' }, args: [{}] }));
  const stages = store.get(deals, { stage: 'open' })?.map(({ stage }) => stage);
  layer.drop();
  return stages;
}

test.each([true, false])(
  'an answer that is undone does not turn off a rule that it contradicts (confirmed: %s)',
  (isConfirmed) => {
    const store = new Store();
    if (isConfirmed) store.write(deals, [{ id: '1', stage: 'open' }], open);
    else store.write(deals, [], open);
    undone(() => store.write(deals, [{ id: '2', stage: 'won' }], open), store);
    expect(stagesAfterCreate(store)).toEqual(isConfirmed ? ['open', 'open'] : ['open']);
    store.write(deals, [{ id: '2', stage: 'won' }], open);
    expect(stagesAfterCreate(store)).toEqual(['won']);
  },
);
