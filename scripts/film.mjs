// `npm run film -- [file]` records the animation of the README: it uses the demo as a user would.
import { statSync } from 'node:fs';
import sharp from 'sharp';
import { withDemo } from './demo-in-browser.mjs';
import { root } from './install.mjs';

const [file = `${root}docs/public/issue-tracker.webp`] = process.argv.slice(2);
const SIZE = { width: 960, height: 600 };
const MAX_BYTES = 1_500_000;
/** How long the last picture is shown before the animation begins again. */
const END_MS = 2500;
/** Frames that follow sooner are left out, because they would only make the file larger. */
const MIN_FRAME_MS = 60;

const CAPTION = `
  rejoin-devtools { display: none; }
  :root { scrollbar-width: none; }
  #caption { position: fixed; inset: auto 0 0; z-index: 99; pointer-events: none; padding: 11px 18px; background: #0b6b66; color: #fff; font-size: 17px; font-weight: 600; }
`;

await withDemo(async ({ url, browser }) => {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(url);
  await page.locator('.issue').first().waitFor();
  await page.getByRole('button', { name: 'Close the hint' }).click();
  await page.addStyleTag({ content: CAPTION });
  const frames = await record(page, () => play(page));
  await write(frames);
  const bytes = statSync(file).size;
  if (bytes > MAX_BYTES) throw new Error(`${file} has ${bytes} bytes; it may have ${MAX_BYTES}.`);
  console.log(`${file}: ${frames.length} frames, ${(bytes / 1000).toFixed(0)} kB`);
});

async function say(page, text) {
  await page.evaluate((words) => {
    const caption = document.querySelector('#caption') ?? document.body.appendChild(document.createElement('div'));
    caption.id = 'caption';
    caption.textContent = words;
  }, text);
  await page.waitForTimeout(900);
}

async function play(page) {
  const title = 'Dark theme for the calendar';
  await say(page, 'The network is slow: three seconds for each request');
  await page.getByLabel('Network', { exact: true }).selectOption('very slow: 3 s');
  await say(page, 'A new issue is on the screen before it is saved');
  await page.getByLabel('Title of a new issue').pressSequentially(title, { delay: 35 });
  await page.keyboard.press('Enter');
  const state = page.getByLabel(`State of ${title}`);
  await state.waitFor();
  await page.waitForTimeout(700);
  await say(page, 'Its state changes before it has an id: the request waits for the id');
  await state.selectOption('doing');
  await page.locator('.issue[aria-busy="false"]', { hasText: title }).waitFor();
  await say(page, 'Both are saved, in order. No code for it in the application');
  await page.waitForTimeout(600);
  await page.getByLabel('Network', { exact: true }).selectOption('good');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.locator('.person-card').first().waitFor();
  await say(page, 'A person gets another name …');
  const first = page.locator('.person-card').first();
  await first.getByRole('button', { name: /^Rename/ }).click();
  await first.getByRole('textbox').fill('Ada Lovelace');
  await page.waitForTimeout(500);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(600);
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  await page.locator('[data-card]').first().waitFor();
  await say(page, '… and has it on every screen, with no list asked for again');
  const card = page.getByRole('region', { name: 'To do' }).locator('[data-card]').first();
  await card.focus();
  for (const key of ['ArrowRight', 'ArrowRight']) {
    await page.waitForTimeout(700);
    await page.keyboard.press(key);
  }
  await say(page, 'Columns, counts and reports are live queries: they follow every change');
}

/** Records the frames that the browser paints while `act` runs, and how long each of them is shown. */
async function record(page, act) {
  const session = await page.context().newCDPSession(page);
  const frames = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ image: Buffer.from(data, 'base64'), at: metadata.timestamp * 1000 });
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
  await act();
  await session.send('Page.stopScreencast');
  const spaced = frames.filter(({ at }, nth) => (frames[nth + 1]?.at ?? Number.POSITIVE_INFINITY) - at >= MIN_FRAME_MS);
  return spaced.map(({ image, at }, nth) => ({ image, delay: Math.round((spaced[nth + 1]?.at ?? at + END_MS) - at) }));
}

async function write(frames) {
  const images = frames.map(({ image }) => image);
  const delay = frames.map((frame) => frame.delay);
  await sharp(images, { join: { animated: true } })
    .webp({ delay, loop: 0, quality: 60, effort: 5 })
    .toFile(file);
}
