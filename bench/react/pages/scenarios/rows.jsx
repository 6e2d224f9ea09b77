import { memo } from 'react';
import { rowsOf } from '../data.js';
import { expect, renders, steps, timed } from '../measure.js';
import { ListRow, stageOf } from '../stage.jsx';

/** Rows with a hook each. */
function ownHooksOf(made, rows) {
  const Row = memo(function Row({ id }) {
    renders.count++;
    const row = made.useRow(id);
    return (
      <li id={id}>
        <b>{row.title}</b> <i>{row.rank}</i>
      </li>
    );
  });
  return () => (
    <ul>
      {rows.map(({ id }) => (
        <Row key={id} id={id} />
      ))}
    </ul>
  );
}

/** One hook, and rows that are rendered when they are given another record. */
function listOf(made) {
  return function List() {
    renders.count++;
    return (
      <ul>
        {made.useList().map((row) => (
          <ListRow key={row.id} row={row} />
        ))}
      </ul>
    );
  };
}

const shapes = {
  hook: (peer, rows) => {
    const made = peer.rows([...rows]);
    return { made, View: ownHooksOf(made, rows) };
  },
  list: (peer, rows) => {
    const made = peer.list([...rows]);
    return { made, View: listOf(made) };
  },
};

function expectRows(rows) {
  const shown = [...document.querySelectorAll('li')];
  expect(shown.length === rows.length, `${shown.length} rows on the screen`);
  rows.forEach((row, index) => {
    const text = `${row.title} ${row.rank}`;
    expect(shown[index].textContent === text, `row ${index} is "${shown[index].textContent}", not "${text}"`);
  });
}

/** One row of those mounted changes, somewhere. */
const oneRow =
  (shape) =>
  async ({ peer, size, ...given }) => {
    const rows = rowsOf(size);
    const { made, View } = shapes[shape](peer, rows);
    const stage = await stageOf(made);
    await stage.showNow(View);
    expectRows(rows);
    const step = (turn) => {
      const at = (turn * 7919) % size;
      const row = { ...rows[at], title: `Written in turn ${turn}` };
      rows[at] = row;
      const { firstChild } = document.getElementById(row.id);
      return timed(
        stage.root,
        () => void made.write(row),
        () => firstChild.textContent === row.title,
      );
    };
    const figures = await steps(step, given);
    expectRows(rows);
    return { '': figures };
  };

/** A list that is there already comes onto the screen. */
const mount = async ({ peer, size, ...given }) => {
  const rows = rowsOf(size);
  const all = {};
  for (const shape of ['hook', 'list']) {
    let stage;
    let View;
    const step = () =>
      timed(
        stage.root,
        () => stage.show(View),
        () => stage.root.querySelectorAll('li').length === size,
      );
    const ready = async () => {
      await stage?.leave();
      const shaped = shapes[shape](peer, rows);
      View = shaped.View;
      stage = await stageOf(shaped.made);
    };
    const name = shape === 'hook' ? 'a hook per row' : 'one list';
    all[name] = await steps(step, { warm: 1, least: 3, budget: 600, ...given, ready });
    expectRows(rows);
    await stage.leave();
  }
  return all;
};

export const rows = { 'row-hook': oneRow('hook'), 'row-list': oneRow('list'), mount };
