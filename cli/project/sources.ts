/**
 * @module The sources of a project: its schema files and its settings, checked against each other.
 */
import { actionsOf } from '../../src/access/rule.ts';
import { isObject } from '../../src/common/json.ts';
import { suggestion } from '../../src/common/near-words.ts';
import { buildRegistry, historyPathProblem, type SchemaFiles } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import { SchemaError } from '../../src/schema/schema-error.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';
import type { Settings, SettingsInput } from '../../src/schema/settings/config.ts';
import { wrongSections } from '../../src/schema/settings/wrong-sections.ts';
import { systemType, USER_UID } from '../../src/schema/system-types.ts';
import { ownAttributes } from '../../src/schema/user-type.ts';
import { UserError } from '../core/terminal.ts';
import { type Layout, overflowOf } from '../migrations/layout.ts';
import { readState } from '../migrations/revisions.ts';
import { grantProblems, nearestAction, unknownActions } from './grants.ts';
import { presetProblems } from './preset-checks.ts';
import { previewProblems } from './preview-checks.ts';
import { type ReadFiles, registryOf, schemaFilesIn, USER_FILE } from './project.ts';
import { CONFIG, checkedSettings, IMPORTED, loadOwnSettings, mergeSettings, readImported } from './settings.ts';

export interface Sources {
  readonly settings: Settings;
  /** Without regard to where attributes are stored. */
  readonly declared: Registry;
  readonly files: SchemaFiles;
}

/**
 * Schema files and settings together.
 * @param imported the settings of `edgewise.imported.json`
 * @throws UserError where the settings name what is not there.
 */
export function sourcesOf(read: ReadFiles, settings: Settings, imported: SettingsInput): Sources {
  const declared = registryOf(read);
  const [own, others]: readonly [string[], string[]] = [[], []];
  for (const [role, grants] of Object.entries(settings.roles)) {
    for (const action of unknownActions(declared, grants.flatMap(actionsOf))) {
      const lines = imported.roles?.[role]?.includes(action) ? others : own;
      lines.push(`roles.${role}: no content type has the action "${action}"${nearestAction(declared, action)}`);
    }
    for (const problem of grantProblems(grants, declared, settings)) own.push(`roles.${role}: ${problem}`);
  }
  if (settings.studio !== false && !settings.server.openapi)
    own.push(
      'studio: reads /openapi.json, which server.openapi: false removes; set studio: false, or server.openapi: true',
    );
  const uids = [...declared.contentTypes.keys()];
  for (const uid of Object.keys(settings.cache))
    if (!uids.includes(uid)) own.push(`cache.${uid}: no content type has this uid${suggestion(uid, uids)}`);
  const { defaultStatus } = settings.api.rest;
  for (const uid of typeof defaultStatus === 'string' ? [] : Object.keys(defaultStatus))
    if (!declared.contentTypes.get(uid)?.draftAndPublish)
      own.push(`api.rest.defaultStatus.${uid}: no content type with drafts has this uid${suggestion(uid, uids)}`);
  for (const uid of settings.history === true ? [] : Object.keys(settings.history ?? {}))
    if (uid !== 'bytes' && !uids.includes(uid))
      own.push(`history.${uid}: no content type has this uid${suggestion(uid, uids)}`);
  const taken = settings.history && historyPathProblem(declared);
  if (taken) own.push(`history: ${taken}`);
  for (const [index, { types = [] }] of settings.webhooks.entries())
    for (const uid of types)
      if (!uids.includes(uid))
        own.push(`webhooks.${index}.types: no content type has this uid: "${uid}"${suggestion(uid, uids)}`);
  own.push(...previewProblems(declared, settings), ...presetProblems(declared, settings));
  const names = ownAttributes(systemType(declared, USER_UID));
  for (const name of settings.users.register.allowedFields)
    if (!names.has(name)) own.push(`users.register.allowedFields: ${USER_FILE} adds no "${name}"`);
  const listed = (file: string, lines: readonly string[]) =>
    lines.length > 0 ? [`${file}:`, ...lines.map((line) => `  ${line}`)] : [];
  const problems = [...listed(CONFIG, own), ...listed(IMPORTED, others)];
  if (problems.length > 0) throw new UserError(...problems);
  return { settings, declared, files: read.files };
}

/** Returns what is wrong beside wrong settings: with the valid sections, and with the content types. */
function otherProblems(root: string, input: unknown, imported: SettingsInput): readonly string[] {
  const wrong = wrongSections(input);
  // Content types depend on custom fields.
  if (!isObject(input) || wrong.has('customFields')) return [];
  const valid = Object.fromEntries(Object.entries(input).filter(([name]) => !wrong.has(name)));
  if (wrongSections(valid).size > 0) return [];
  try {
    const settings = checkedSettings(valid);
    sourcesOf(schemaFilesIn(root, settings), settings, imported);
    return [];
  } catch (error) {
    if (error instanceof SchemaError || error instanceof UserError) return [error.message];
    throw error;
  }
}

/** @throws SchemaError or UserError for wrong files, with all that is wrong as far as it can be found at once. */
export async function readSources(root: string): Promise<Sources> {
  const imported = readImported(root);
  const input = mergeSettings(await loadOwnSettings(root), imported);
  let settings: Settings;
  try {
    settings = checkedSettings(input);
  } catch (error) {
    throw new UserError((error as Error).message, ...otherProblems(root, input, imported));
  }
  return sourcesOf(schemaFilesIn(root, settings), settings, imported);
}

/** Returns the registry that the sources declare on the tables of `layout`. */
export function wantedOf({ files, declared, settings }: Sources, layout: Layout) {
  const { indexes, search, upload } = settings;
  const wanted = {
    ...files,
    overflow: overflowOf(declared, layout),
    indexes,
    search,
    placeholders: upload.placeholders,
  };
  return { files: wanted, registry: buildRegistry(wanted, CHECKED) };
}

/** Returns the registry on the tables that the migrations make. @throws SchemaError or UserError for wrong files. */
export const storedRegistry = async (root: string): Promise<Registry> =>
  wantedOf(await readSources(root), readState(root).layout).registry;
