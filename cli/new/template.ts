/**
 * @module The files of `template/`, filled in: those of each project, and those of its tests.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathOfType } from '../../src/http/endpoint.ts';
import type { Registry } from '../../src/schema/model.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { gapOfType } from '../../testing/gaps.ts';
import { PACKAGE } from '../core/package.ts';
import type { Output } from '../migrations/migration-files.ts';
import { CONTENT_TYPES } from '../project/project.ts';

const TEMPLATE = join(PACKAGE, 'template');

/** A test of the first content type of which a document can be made. */
function exampleOf(registry: Registry): string {
  const model = { registry, settings: parseSettings({}) };
  const type = [...registry.routes.values()].find((each) => gapOfType(each, model) === undefined);
  if (!type) return '';
  const path = type.kind === 'singleType' ? `'${pathOfType(type)}'` : `\`${pathOfType(type)}/\${documentId}\``;
  return `
  // It ends with the content type.
  const isThere = registry.contentTypes.some(({ path }) => path === '${CONTENT_TYPES}/${type.singularName}/schema.json');
  it.runIf(isThere)('returns a document that was created', async () => {
    // What the content type requires and is not given is made up.
    const { documentId } = await project.create('${type.uid}', {});
    const response = await project.fetch(${path});
    expect(await response.json()).toMatchObject({ data: { documentId } });
  });
`;
}

/** A file of the template that npm would take for its own under its name. */
const HIDDEN = 'gitignore';

/** Files of tests, which `edgewise test --init` writes. */
const TESTS = /^(test\/|vitest\.config\.ts$)/;

function filledIn(values: Readonly<Record<string, string>>): readonly Output[] {
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '');
  return readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = relative(TEMPLATE, join(parentPath, name)).split(sep).join('/');
      const text = fill(readFileSync(join(parentPath, name), 'utf8'));
      return { path: path === HIDDEN ? `.${path}` : path, text };
    });
}

/** The files of each project but its content types. */
export const templateFiles = (values: Readonly<Record<string, string>>): readonly Output[] =>
  filledIn(values).filter(({ path }) => !TESTS.test(path) && !path.startsWith(`${CONTENT_TYPES}/`));

/** The tests that each project has, and one to begin with. */
export const testFiles = (registry: Registry): readonly Output[] =>
  filledIn({ example: exampleOf(registry) }).filter(({ path }) => TESTS.test(path));
