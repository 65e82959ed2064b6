/**
 * @module Which migrations set a fence, and what a deployment makes of it.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROTATE_STAMPS } from '../../../cli/core/sql/database.ts';
import { fenceIn, fenceSql, fencesOf, NOTE_CHECKED, READ_FENCE } from '../../../cli/core/sql/fence.ts';
import type { Wrangler } from '../../../cli/core/wrangler/wrangler.ts';
import { deploy } from '../../../cli/deploy/deploy.ts';
import { agreedProject } from '../../../cli/migrations/apply.ts';
import { historyOf, notingChecksums } from '../../../cli/migrations/history.ts';
import { withFences } from '../../../cli/migrations/history-renames.ts';
import { nextMigrations } from '../../../cli/migrations/migration-files.ts';
import { parseRenames } from '../../../cli/migrations/rename-options.ts';
import { generate } from '../../../cli/project/generate.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { type Account, emptyAccount, siteToml, standIn } from './cloudflare.ts';
import { type Model, useTestDatabase } from './content-model.ts';
import { hearProgress } from './heard.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

hearProgress();
const database = await useTestDatabase();
beforeEach(() => database.reset());

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const PART = { type: 'component', component: 'kit.part', repeatable: false };
const wide = (names: Attributes): Attributes => ({
  ...Object.fromEntries(Array.from({ length: 95 }, (_, index) => [`a${index}`, STRING])),
  ...names,
});
const model = (attributes: Attributes, part: Attributes = { text: STRING }, options = {}): Model => ({
  types: [contentType('article', { part: PART, ...attributes }, options)],
  components: [component('kit.part', part)],
});

it('the empty fence of a local database that has none is none that a Worker knows', () => {
  const files = { components: {}, contentTypes: [] } as unknown as Parameters<typeof withFences>[0];
  expect(withFences(files, [''])).toBe(files);
  expect(withFences(files, ['', '0005-0a1b2c3d'])).toEqual({ ...files, fences: ['0005-0a1b2c3d'] });
});

type Renames = Parameters<typeof database.evolve>[1];

describe('a migration', () => {
  it.each<readonly [what: string, before: Model, after: Model, renames: Renames]>([
    [
      'renames an attribute of a component',
      model({}),
      model({}, { label: STRING }),
      { rename: ['kit.part.text=label'] },
    ],
    ['retypes an attribute of a component', model({}, { n: INTEGER }), model({}, { n: STRING }), {}],
    [
      'renames an attribute of the overflow column',
      model(wide({ zz: STRING })),
      model(wide({ yy: STRING })),
      { rename: ['article.zz=yy'] },
    ],
    ['retypes a column', model({ n: INTEGER }), model({ n: STRING }), {}],
    ['turns localization on', model({}), model({}, { text: STRING }, { localized: true }), {}],
  ])('that %s sets a fence', async (_, before, after, renames) => {
    await database.evolve(before);
    const { parts } = await database.evolve(after, renames);
    const migrations = nextMigrations('what', parts, ['0004_before.sql']);
    expect(fencesOf(migrations.slice(0, 1))).toEqual([expect.stringMatching(/^0005-[0-9a-f]{8}$/)]);
    expect(fencesOf(migrations.slice(1))).toEqual([]);
  });

  it.each<readonly [what: string, before: Model, after: Model, renames: Renames]>([
    ['adds attributes', model({}), model({ n: INTEGER }, { text: STRING, n: INTEGER }), {}],
    ['removes attributes', model({ n: INTEGER }, { text: STRING, n: INTEGER }), model({}), {}],
    [
      'renames a column, whose absence is an error',
      model({ n: STRING }),
      model({ m: STRING }),
      { rename: ['article.n=m'] },
    ],
    [
      'removes a content type',
      { types: [...model({}).types, contentType('tag', {})], components: model({}).components ?? [] },
      model({}),
      {},
    ],
    ['makes the first tables', { types: [] }, model({}), {}],
    [
      'renames a content type: its versions, schedules and messages have its name',
      model({}),
      { types: [contentType('story', { part: PART })], components: model({}).components ?? [] },
      { renameType: ['article=story'] },
    ],
  ])('that %s sets none', async (_, before, after, renames) => {
    await database.evolve(before);
    const { parts } = await database.evolve(after, renames);
    expect(parts).not.toEqual([]);
    expect(fencesOf(nextMigrations('what', parts))).toEqual([]);
  });

  it('sets it in the first piece of many', () => {
    const statements = Array.from({ length: 200 }, (_, index) => `UPDATE "articles" SET "title" = ${index}`);
    const migrations = nextMigrations('big', [{ when: 'during', statements, losses: [], moves: true }]);
    expect(migrations.map((each) => fencesOf([each]).length)).toEqual([1, 0, 0]);
  });
});

it('stays when a migration is applied that an earlier version of Edgewise has made', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE "edgewise_stamps" ("id" integer PRIMARY KEY, "stamps" text NOT NULL)');
  db.exec('CREATE TABLE "edgewise_migrations" ("name" text PRIMARY KEY, "checksum" text NOT NULL)');
  db.exec(fenceSql('0002-a'));
  const rotation = `INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";`;
  const migration = { name: '0003_former.sql', text: `-- deploy: during\n${rotation}\n` };
  db.exec(notingChecksums(migration, historyOf([migration])));
  expect(fenceIn([db.prepare(READ_FENCE).all()])).toBe('0002-a');
});

it('stays when the stamps are rotated', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE "edgewise_stamps" ("id" integer PRIMARY KEY, "stamps" text NOT NULL)');
  const fence = () => fenceIn([db.prepare(READ_FENCE).all()]);
  db.exec(ROTATE_STAMPS);
  expect(fence()).toBeUndefined();
  for (const statement of [fenceSql('0002-a'), ROTATE_STAMPS, ROTATE_STAMPS]) db.exec(statement);
  expect(fence()).toBe('0002-a');
});

describe('deploy', () => {
  let project: ScratchProject;
  let account: Account;
  beforeEach(() => {
    project = scratchProject();
    account = emptyAccount();
    return () => project.remove('.');
  });
  const write = async (part: Attributes, rename: readonly string[] = []) => {
    const { types, components = [] } = model({}, part);
    project.write('wrangler.toml', siteToml('magazine-db'));
    project.schemas(...types, ...components);
    await generate(project.root, {
      renames: parseRenames(rename, []),
      execute: async () => ({ code: 1, stdout: '', stderr: '' }),
    });
  };
  const deployed = async () => {
    const { quietly, openly } = standIn(project.root, account);
    await deploy(project.root, {
      target: { remote: true },
      quietly,
      openly,
      allowDrop: true,
      ask: undefined,
      pause: async () => undefined,
    });
  };
  const remote = () => account.databases.get('magazine-db') as DatabaseSync;

  it('goes first, without a migration that moves values, where the version that serves checks no fence', async () => {
    await write({ text: STRING });
    await deployed();
    // As an earlier version of Edgewise has left it.
    remote().exec(`UPDATE edgewise_stamps SET stamps = json_remove(stamps, '$.fence')`);
    await write({ label: STRING }, ['kit.part.text=label']);
    await expect(deployed()).rejects.toThrow(/drizzle\/0002_\S+\.sql\nDeploy twice/);
    expect(remote().prepare('SELECT name FROM d1_migrations').all()).toHaveLength(1);
    expect(account.versions).toHaveLength(1);
  });

  it('comes before migrate --remote and import --remote with such a migration, which agree to it as deploy does', async () => {
    await write({ text: STRING });
    await deployed();
    remote().exec(`UPDATE edgewise_stamps SET stamps = json_remove(stamps, '$.fence')`);
    await write({ label: STRING }, ['kit.part.text=label']);
    const { quietly } = standIn(project.root, account);
    const agreed = agreedProject(project.root, { remote: true }, { allowDrop: true }, quietly);
    await expect(agreed).rejects.toThrow(/drizzle\/0002_\S+\.sql\nDeploy twice/);
  });

  it('brings the fence with the first deployment, and lets the next one move values', async () => {
    await write({ text: STRING });
    await deployed();
    expect(fenceIn([remote().prepare(READ_FENCE).all()])).toBe('');
    await write({ label: STRING }, ['kit.part.text=label']);
    await deployed();
    expect(fenceIn([remote().prepare(READ_FENCE).all()])).toMatch(/^0002-/);
    expect(project.read('.edgewise/built.ts')).toMatch(/fences: \["0002-[0-9a-f]{8}"\]/);
  });

  it('notes the fence and purges what is cached once the traffic is routed, not before', async () => {
    await write({ text: STRING });
    await deployed();
    const { quietly, openly } = standIn(project.root, account);
    const lines: string[] = [];
    const noting: Wrangler = (args) => {
      lines.push(args.join(' '));
      return quietly(args);
    };
    const target = { remote: true };
    await deploy(project.root, { target, quietly: noting, openly, allowDrop: true, pause: async () => undefined });
    const routed = lines.findIndex((line) => line.startsWith('versions deploy'));
    const noted = lines.flatMap((line, index) => (line.includes(NOTE_CHECKED) ? [index] : []));
    expect(routed).toBeGreaterThan(0);
    expect(noted).toEqual([routed + 1]);
    expect(lines[routed + 1]).toContain(ROTATE_STAMPS);
  });

  it('is told of a database that another checkout has moved on', async () => {
    await write({ text: STRING });
    await deployed();
    remote().exec(fenceSql('0002-other'));
    await expect(deployed()).rejects.toThrow('has the fence 0002-other, which no migration in drizzle/ sets');
  });
});
