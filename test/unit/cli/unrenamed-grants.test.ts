/**
 * @module Commands report API tokens whose conditions may name a renamed attribute and stay as they are.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withStorage } from '../../../cli/core/storage/storage.ts';
import { contentType } from '../../support/schema-files.ts';
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
