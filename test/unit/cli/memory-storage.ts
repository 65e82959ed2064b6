/**
 * @module A real D1 and R2 in memory.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenStorage, openLocalStorage } from '../../../cli/core/storage/local-storage.ts';
import { wranglerToml } from './cloudflare.ts';

const BUCKET = `[[r2_buckets]]
binding = "MEDIA"
bucket_name = "test"
`;

/** Empty, and gone when it is closed. */
export async function openMemoryStorage(): Promise<OpenStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-storage-'));
  const config = join(folder, 'wrangler.toml');
  writeFileSync(config, wranglerToml('test') + BUCKET);
  const { storage, close } = await openLocalStorage(config);
  return { storage, close: () => close().finally(() => rmSync(folder, { recursive: true })) };
}
