export { copiedStorage } from './adapters/persist/copied-storage.ts';
export { type Cipher, encryptedStorage } from './adapters/persist/encrypted-storage.ts';
export { fileStorage } from './adapters/persist/file-storage.ts';
export { indexedDbStorage } from './adapters/persist/indexed-db-storage.ts';
export { memoryStorage } from './adapters/persist/memory-storage.ts';
export type { DropReason, PersistEvent } from './adapters/persist/persist-event.ts';
export { PersistManager, type PersistOptions } from './adapters/persist/persist-manager.ts';
export type { OpenStorage, StorageContent, TextStorage } from './std/text-storage.ts';
