import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { backUp } from '../../../../cli/backup/backup.ts';
import { checkBackup } from '../../../../cli/backup/restore.ts';
import { runBatch } from '../../../../cli/core/sql/statements.ts';
import { withStorage } from '../../../../cli/core/storage/storage.ts';
import { planPush, readFiles, settle } from '../../../../cli/dev/push.ts';
import { migrateProject } from '../../../../cli/migrate/migrate.ts';
import { generate } from '../../../../cli/project/generate.ts';
import { contentType } from '../../../support/schema-files.ts';
import { STORAGE_TOML } from '../memory-storage.ts';
import { scratchProject } from '../scratch-project.ts';

const project = scratchProject();
for (const stream of [process.stderr, process.stdout]) vi.spyOn(stream, 'write').mockReturnValue(true);
vi.spyOn(process, 'cwd').mockReturnValue(project.root);
afterAll(() => {
  vi.restoreAllMocks();
  project.remove('.');
});

const path = join(project.root, 'backup.tar.gz');
const files = () => readdirSync(project.root).filter((name) => name.startsWith('backup'));

it('a backup is refused where npm run dev has changed the tables beyond the migrations', async () => {
  project.write('wrangler.toml', STORAGE_TOML);
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(project.root, 'node_modules'));
  project.schemas(contentType('tag', { name: { type: 'string' } }));
  await generate(project.root);
  await migrateProject(project.root, {});
  project.schemas(contentType('tag', { name: { type: 'string' }, color: { type: 'string' } }));
  // As a save does it.
  await withStorage(project.root, {}, async ({ db }) => {
    const read = await readFiles(project.root);
    const [schema] = await settle(read.folder, db);
    await runBatch(db, (await planPush(read, db, schema)).statements);
  });
  await expect(backUp(project.root, {}, path)).rejects.toThrow(/could not be restored: npx edgewise generate, then/);
  expect(files()).toEqual([]);
  await generate(project.root);
  await migrateProject(project.root, {});
  await backUp(project.root, {}, path);
  expect((await checkBackup(project.root, path)).due).toEqual([]);
});
