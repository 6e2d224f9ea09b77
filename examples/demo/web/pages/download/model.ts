import { readFile, RestEndpoint } from 'rejoin';

export interface StoredFile {
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  readonly size: number;
}

export const getFiles = new RestEndpoint({
  urlPrefix: '/api',
  path: '/files',
  process: (value: StoredFile[]) => value,
});

export const download = new RestEndpoint({
  urlPrefix: '/api',
  path: '/files/:id/download',
  schema: undefined,
  dataExpiryLength: 0,
  // Reads the body as a blob, and a safe file name from Content-Disposition.
  parseResponse: readFile,
});
