/**
 * @module The content types that a new project begins with: those of a Strapi project, of an archive, or an article.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaFiles } from '../../src/schema/build.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { keyOfArchive, openArchive } from '../core/archive/archive-file.ts';
import { PACKAGE } from '../core/package.ts';
import { progressLine } from '../core/progress-line.ts';
import { archiveRoles } from '../import/archive-settings.ts';
import { schemaFilesOf } from '../import/archive-types.ts';
import { archiveRegistry } from '../import/place-types.ts';
import { newWarnings, surveyArchive } from '../import/survey.ts';
import type { Output } from '../migrations/migration-files.ts';
import { CONFIG } from '../project/settings.ts';
import { cloneFiles } from './clone-files.ts';
import type { NewFile } from './folder.ts';
import { notTaken } from './strapi-code.ts';
import { readStrapiFiles, withoutUnfitRelations } from './strapi-files.ts';

export interface Types {
  readonly files: SchemaFiles;
  readonly settings: SettingsInput;
  /** Files of a clone, with its content types, settings and what was generated from them. */
  readonly taken?: readonly Output[];
  /** What the user should know of what was not taken: the lines. */
  readonly notes: readonly string[];
  /** The files of a site, and content to begin with. */
  readonly site?: readonly NewFile[];
}

/** Content, its drafts and its history, files and previews, and the own account; no other users. */
const EDITOR = [
  'api::*',
  'plugin::upload.*',
  'plugin::users-permissions.user.me',
  'plugin::users-permissions.user.updateMe',
  'plugin::users-permissions.identity.*',
  'plugin::users-permissions.auth.changePassword',
  'plugin::users-permissions.auth.logout',
];

const ARTICLE = 'content-types/article/schema.json';

export function starterTypes(): Types {
  const json: unknown = JSON.parse(readFileSync(join(PACKAGE, 'template', ARTICLE), 'utf8'));
  return {
    files: { contentTypes: [{ path: ARTICLE, json }], components: [] },
    settings: {
      roles: {
        public: ['api::article.article.find', 'api::article.article.findOne'],
        editor: [...EDITOR],
      },
      users: { allowRegistration: false },
    },
    notes: [],
  };
}

const NO_EDITOR = `Who may write is a setting, unless an archive is imported, which has its own roles: roles: { editor: ['api::*', 'plugin::upload.*'] } in ${CONFIG}`;

/** The roles of a Strapi are in its archives alone. @throws UserError for a folder without content types. */
export function strapiTypes(project: string): Types {
  const { files, notes } = withoutUnfitRelations(readStrapiFiles(project));
  return { files, settings: {}, notes: [...notes, ...notTaken(project), NO_EDITOR] };
}

/** @throws UserError for a folder that is no clone of Edgewise. */
export function cloneTypes(clone: string): Types {
  const note = `Not taken from ${clone}: code and tests of your own, demo/, .dev.vars and .wrangler/state`;
  return { files: { contentTypes: [], components: [] }, settings: {}, taken: cloneFiles(clone), notes: [note] };
}

/** @throws UserError for a file that is no archive, or has content types that cannot be. */
export async function archiveTypes(path: string): Promise<Types> {
  const file = openArchive(path, await keyOfArchive(path));
  const warnings = newWarnings();
  const line = progressLine({ name: 'reading the archive', bytes: file.size });
  const survey = await surveyArchive(file, warnings, line.advance);
  try {
    line.done(`read the content types of ${file.name}`);
    // What else an archive has to say is said when its content is imported.
    const named = newWarnings();
    const files = schemaFilesOf(survey, named);
    archiveRegistry(files);
    // The import brings its roles, and whether everybody may register.
    const hasEditor = archiveRoles(survey).some(({ type }) => type === 'editor');
    return { files, settings: hasEditor ? {} : { roles: { editor: [...EDITOR] } }, notes: named.lines() };
  } finally {
    survey.staging.close();
  }
}
