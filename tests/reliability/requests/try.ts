import { showScreen } from './screens.ts';
const t = performance.now();
let bad = 0;
let sent = 0,
  causes = 0;
for (let seed = 1; seed <= Number(process.argv[2]); seed++) {
  const budgets = await showScreen(seed);
  for (const b of budgets) {
    sent += b.sent;
    causes += b.causes;
  }
  const over = budgets.filter((b) => b.sent > b.causes || b.burst > 3);
  if (over.length) {
    bad++;
    if (bad < 12) console.log(seed, JSON.stringify(over), budgets.map((b) => b.key).join());
  }
}
console.log({ bad, sent, causes, ms: performance.now() - t });
