/**
 * @module An import into a deployed database names what its new tables lose, and loses nothing unasked.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateTarget } from '../../../../src/cli/import/migrate-target.ts';
import { migrate } from '../../../../src/cli/migrations/apply.ts';
import { storageSession } from '../../../../src/cli/platform/storage.ts';
import { generate } from '../../../../src/cli/project/generate.ts';
import { emptyAccount, type StandIn, standIn, wranglerToml } from '../cloudflare.ts';
import { type Attributes, contentType } from '../content-model.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

const said = vi.hoisted((): string[] => []);
vi.mock(import('../../../../src/cli/terminal.ts'), async (original) => ({
  ...(await original()),
  progress: (text: string) => void said.push(text),
}));

const STRING = { type: 'string' };
const REMOTE = { remote: true };

let project: ScratchProject;
let wrangler: StandIn;
let database: DatabaseSync;
/** The names of those that the database has. */
let migrations: ReadonlySet<string>;

async function change(attributes: Attributes): Promise<void> {
  project.schemas(contentType('article', attributes));
  await generate(project.root, {
    allowDrop: true,
    execute: async () => ({ code: 1, stdout: '', stderr: 'no such table' }),
  });
}

beforeEach(async () => {
  project = scratchProject();
  project.write('wrangler.toml', wranglerToml('magazine-db'));
  await change({ title: STRING, lead: STRING });
  const account = emptyAccount();
  database = new DatabaseSync(':memory:');
  account.databases.set('magazine-db', database);
  wrangler = standIn(project.root, account);
  await migrate(REMOTE, wrangler.quietly, project.root);
  migrations = new Set(project.migrations());
  database.exec(`INSERT INTO articles (document_id, lead) VALUES ('a', 'One'), ('b', NULL)`);
  await change({ title: STRING });
  said.length = 0;
  return () => project.remove('.');
});

const migrated = (allowDrop: boolean) =>
  migrateTarget(
    ...([project.root, { migrations, allowDrop, isNew: false }, REMOTE, storageSession(project.root, REMOTE)] as const),
    wrangler.quietly,
  );
const leads = () => database.prepare('SELECT lead FROM articles').all();

describe('an import into a deployed database', () => {
  const NAMED = '  article.lead: removed (string) (1 row of the deployed database)';
  const BACK =
    'to bring the database back to where it is now: npx wrangler d1 time-travel restore DB --bookmark=0000-b00c';

  it('is refused where it would lose content and nobody can be asked', async () => {
    await expect(migrated(false)).rejects.toThrow(
      /Nothing was changed: 1 change.*--allow-drop\nThe database is as it was\./,
    );
    expect(said).toEqual(['1 change loses stored content:', NAMED, BACK]);
    expect(leads()).toHaveLength(2);
  });

  it('goes ahead where that was said, and still names what goes and the way back', async () => {
    await migrated(true);
    expect(said).toEqual(expect.arrayContaining([NAMED, BACK]));
    expect(() => leads()).toThrow('no such column: lead');
  });

  it('changes nothing where the database has all migrations', async () => {
    migrations = new Set(project.migrations());
    await migrated(false);
    expect(said).toEqual([]);
  });
});
