/**
 * @module `edgewise history` on a local database: what the settings no longer keep goes, and what has to be erased.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withStorage } from '../../../cli/core/storage/storage.ts';
import { contentType } from '../../support/schema-files.ts';
import { wranglerToml } from './cloudflare.ts';
import { runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const DAY = 86_400_000;
const SETTINGS = { 'api::tag.tag': { versions: 3, days: 90 }, 'api::page.page': true, bytes: 50_000 };

let project: ScratchProject;
const command = (line: string) => runCommand(project.root, line);
const run = (...statements: readonly string[]) =>
  withStorage(project.root, {}, ({ db }) => db.batch<{ n: number }>(statements.map((sql) => db.prepare(sql))));

/** A statement that keeps versions of a document, a minute apart; the last one is of `until`. */
const kept = (type: string, documentId: string, count: number, until = Date.now(), size = 1) => `
  with recursive n(value) as (select 0 union all select value + 1 from n where value < ${count - 1})
  insert into edgewise_history (type, document_id, locale, version, at, id, operation, actor, entry, size)
  select '${type}', '${documentId}', '', 'draft', ${until} - 60000 * value, '${documentId} ' || value, 'update', 'code', '{}', ${size} from n`;

/** How many versions of a document are left. */
async function left(documentId: string): Promise<number | undefined> {
  const [counted] = await run(`select count(*) as n from edgewise_history where document_id = '${documentId}'`);
  return counted?.results[0]?.n;
}

beforeAll(async () => {
  project = scratchProject();
  project.write('wrangler.toml', `${wranglerToml('test')}[[r2_buckets]]\nbinding = "MEDIA"\nbucket_name = "test"\n`);
  project.write('edgewise.config.ts', `export default { history: ${JSON.stringify(SETTINGS)} };`);
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(project.root, 'node_modules'));
  project.schemas(contentType('tag', { name: { type: 'string' } }), contentType('page', { name: { type: 'string' } }));
  await command('generate');
  await command('migrate');
});
beforeEach(async () => {
  await run('delete from edgewise_history');
});
afterAll(() => project.remove('.'));

describe('edgewise history prune', () => {
  it('deletes what is too old and too many, however many those are', async () => {
    const old = Date.now() - 91 * DAY;
    await run(
      kept('api::tag.tag', 'many', 12_345),
      kept('api::tag.tag', 'few', 2),
      kept('api::tag.tag', 'old', 150, old),
      kept('api::page.page', 'page', 20),
      kept('api::page.page', 'older page', 7, old),
      kept('api::other.other', 'without a history', 30, old),
    );
    const { code, said } = await command('history prune');
    expect(said).toMatch(/^deleted 12,499 former versions from the local database in /);
    expect(code).toBe(0);
    const documents = ['many', 'few', 'old', 'page', 'older page', 'without a history'];
    expect(await Promise.all(documents.map(left))).toEqual([3, 2, 0, 20, 0, 30]);
    const [newest] = await run(`select count(*) as n from edgewise_history where id in ('many 0', 'many 1', 'many 2')`);
    expect(newest?.results).toEqual([{ n: 3 }]);
    expect((await command('history prune')).said).toMatch(/^deleted 0 former versions/);
  });

  it('deletes the oldest while all have more bytes than the setting allows', async () => {
    await run(
      kept('api::page.page', 'newer', 10, Date.now(), 4000),
      kept('api::page.page', 'older', 10, Date.now() - DAY, 4000),
    );
    await command('history prune');
    expect([await left('newer'), await left('older')]).toEqual([10, 2]);
  });
});

describe('edgewise history purge', () => {
  beforeEach(async () => {
    await run(kept('api::tag.tag', 'ann', 2), kept('api::tag.tag', 'bob', 1), kept('api::page.page', 'ann', 4));
  });

  it.each([
    ['--type api::tag.tag', 'Nothing was changed: 3 former versions of api::tag.tag to delete for good', 1],
    ['--type api::tag.tag --yes 2', 'Nothing was changed: --yes says 2, but 3 former versions of api::tag.tag', 1],
    ['--type api::tag.tga', '--type: no content type has the uid "api::tag.tga" (did you mean api::tag.tag?)', 2],
    ['--type tag --yes 3', '--type: no content type has the uid "tag"', 2],
    ['--type api::tag.tag --document= --yes 3', "argument '' is invalid. Expected a documentId.", 2],
    ['--type api::tag.tag --documentId ann --yes 3', "Unknown option '--documentId'", 2],
    ['--document ann --yes 3', "Required option '--type <uid>' not specified", 2],
    ['--type api::tag.tag --document eve --yes 0', 'has no former versions of the document eve of api::tag.tag', 0],
  ])('deletes nothing by %s', async (options, sentence, code) => {
    const ended = await command(`history purge ${options}`);
    expect(ended.said).toContain(sentence);
    expect(ended.code).toBe(code);
    expect([await left('ann'), await left('bob')]).toEqual([6, 1]);
  });

  it('deletes all versions of a document of a type, and says how many', async () => {
    const { code, said } = await command('history purge --type api::tag.tag --document ann --yes 2');
    expect(said).toMatch(/^deleted 2 former versions from the local database in /);
    expect(code).toBe(0);
    expect([await left('ann'), await left('bob')]).toEqual([4, 1]);
  });

  it('deletes all versions of a type', async () => {
    await run(kept('api::tag.tag', 'many', 2_500));
    const { said } = await command('history purge --type api::tag.tag --yes 2503');
    expect(said).toMatch(/^deleted 2,503 former versions/);
    expect([await left('ann'), await left('bob'), await left('many')]).toEqual([4, 0, 0]);
  });
});
