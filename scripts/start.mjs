// `npm start`: installs what is missing, builds the library, and takes the tour of examples/tour.
import { ensureInstalled } from './install.mjs';

ensureInstalled();
const { build } = await import('./build.mjs');
const { run } = await import('./run.mjs');
try {
  build();
  run('npm', ['start', '--silent', '--workspace=examples/tour'], { stdio: 'inherit' });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
