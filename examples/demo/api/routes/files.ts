import { list } from '../components.ts';
import { attachment } from '../content-disposition.ts';
import { records } from '../database/database.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { Route } from '../route.ts';

interface StoredFile {
  readonly name: string | null;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const fileRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/files',
    tag: 'files',
    summary: 'The files that can be downloaded.',
    answers: { 200: { description: 'All of them', schema: list('File') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(
        queries,
        `select json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'size', length(f.bytes)) as json from file f order by f.id`,
      ),
    }),
  },
  {
    method: 'get',
    path: '/files/{id}/download',
    tag: 'files',
    summary: 'The bytes of a file, with its name in Content-Disposition. One file has no name.',
    params: { id: ID },
    answers: { 200: { description: 'The bytes', type: 'application/octet-stream' } },
    async handle({ queries, params: { id = '' } }) {
      const [file] = await queries.query<StoredFile>('select name, type, bytes from file where id = $1', [id]);
      if (file === undefined) throw notFound('file', id);
      return new Response(file.bytes, {
        headers: {
          'content-type': file.type,
          'content-length': String(file.bytes.byteLength),
          'content-disposition': attachment(file.name),
          'cache-control': 'no-store',
        },
      });
    },
  },
];
