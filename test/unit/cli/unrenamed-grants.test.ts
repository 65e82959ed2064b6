/**
 * @module Commands report API tokens whose conditions may name a renamed attribute and stay as they are.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Run } from '../../../cli/core/sql/statements.ts';
import { withStorage } from '../../../cli/core/storage/storage.ts';
import { unrenamedWarnings } from '../../../cli/migrations/unrenamed-warnings.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { createSchemaSql } from '../../support/schema-sql.ts';
import { STORAGE_TOML } from './memory-storage.ts';
import { runCommand } from './run-command.ts';
import { scratchProject } from './scratch-project.ts';

it('generate and migrate name a renamed attribute, and count the tokens that may name it behind a relation', async () => {
  const project = scratchProject();
  project.write('wrangler.toml', STORAGE_TOML);
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(project.root, 'node_modules'));
  const write = (name: string) =>
    project.schemas(
      contentType('author', { [name]: { type: 'string' } }),
      contentType('article', { author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' } }),
    );
  write('name');
  expect((await runCommand(project.root, 'generate')).code).toBe(0);
  expect((await runCommand(project.root, 'migrate')).code).toBe(0);
  const grant = { action: 'api::article.article.find', where: { author: { name: 'Ann' } } };
  await withStorage(project.root, {}, ({ db }) =>
    db
      .prepare(
        `insert into strapi_api_tokens (document_id, locale, name, type, permissions) values ('t', '', 't', 'custom', ?)`,
      )
      .bind(JSON.stringify([grant]))
      .run(),
  );
  const warning = 'author.name is now label, but not in grants of 1 API token of the local database';
  write('label');
  expect((await runCommand(project.root, 'generate --rename author.name=label')).said).toContain(warning);
  expect((await runCommand(project.root, 'migrate')).said).toContain(warning);
  expect((await runCommand(project.root, 'migrate')).said).not.toContain(warning);
  project.remove('.');
});

const UID = 'api::article.article';

it('permissions of tokens are reported where a renamed attribute may be named and stays as it is', async () => {
  const title = { title: 'a' };
  const { sqlite } = memoryDatabase();
  const warned = async (grant: unknown, type = UID) => {
    sqlite.exec('DELETE FROM strapi_api_tokens');
    sqlite
      .prepare(`INSERT INTO strapi_api_tokens (document_id, name, type, permissions) VALUES ('t', 't', 'custom', ?)`)
      .run(JSON.stringify([grant]));
    const run: Run = async ([sql = '']) => [sqlite.prepare(sql).all() as never];
    return unrenamedWarnings([{ type, from: 'title', to: 'headline' }], {}, run);
  };
  for (const statement of await createSchemaSql(registryOf([contentType('article', {})]))) sqlite.exec(statement);
  const behind = { action: `${UID}.find`, where: { $or: [{ author: title }] } };
  const left = [
    behind,
    { action: 'api::tag.tag.find', where: { about: title } },
    { action: [`${UID}.find`, 'api::tag.tag.find'], where: { $not: title } },
    { action: [`${UID}.update`, 'api::tag.tag.update'], fields: ['title'] },
    { action: 'api::*.find', where: title },
  ];
  for (const grant of left)
    expect(await warned(grant), JSON.stringify(grant)).toEqual([
      expect.stringMatching(/^article\.title is now headline, but not in grants of 1 API token of the local database /),
    ]);
  expect(await warned(behind, 'shared.card')).toEqual([expect.stringMatching(/^card\.title is now headline/)]);
  for (const grant of [
    `${UID}.find`,
    { action: `${UID}.find`, where: { $and: [title, { name: 'title' }] }, fields: ['title'] },
    { action: 'api::tag.tag.find', where: title, fields: ['title'] },
    { action: [`${UID}.find`, 'api::tag.tag.find'], where: { name: 'title' } },
  ])
    expect(await warned(grant), JSON.stringify(grant)).toEqual([]);
});
