// `npm start`: installs what is missing, builds the library, and takes the tour of examples/tour.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { build } = await import('./build.mjs');
build();
const { run } = await import('./run.mjs');
run('npm', ['start', '--silent', '--workspace=examples/tour'], { cwd: root, stdio: 'inherit' });
