import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';

/** Serves a built web page: its files, and `index.html` for all paths that the page handles itself. */
export function siteAt(app: Hono<{ Bindings: HttpBindings }>, folder: string): void {
  app.use('*', serveStatic({ root: folder }));
  app.get('*', async (context, next) => {
    if (extname(context.req.path) !== '') return next();
    return context.html(await readFile(join(folder, 'index.html'), 'utf8'));
  });
}
