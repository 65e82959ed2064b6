/**
 * @module An import in a process of its own, that can be killed: `node child-import.ts ARCHIVE FOLDER [resume]`. It goes
 * by the note in the database, as the command does, and says when it has begun to write.
 */
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { GROUPS } from '../../../../cli/core/archive/groups.ts';
import { archiveRoles, archiveSettings, placedRoles } from '../../../../cli/import/archive-settings.ts';
import { schemaFilesOf } from '../../../../cli/import/archive-types.ts';
import { beginStatements, type Marker, readMarkers } from '../../../../cli/import/marker.ts';
import { archiveRegistry } from '../../../../cli/import/place-types.ts';
import { resolveRows } from '../../../../cli/import/resolve-rows.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { writeContent } from '../../../../cli/import/write-content.ts';
import { parseSettings } from '../../../../src/schema/settings/config.ts';
import { defaultLocale } from '../../../../src/schema/settings/derived.ts';
import { openDiskStorage } from '../../../support/sqlite-storage.ts';

const [, , path = '', folder = '', resume] = process.argv;
const warnings = newWarnings();
const storage = openDiskStorage(folder);
const survey = await surveyArchive(openArchive(path, undefined), warnings);
const registry = archiveRegistry(schemaFilesOf(survey, warnings));
const settings = parseSettings(archiveSettings(survey, registry));
const roles = placedRoles(archiveRoles(survey), settings);
const types = resolveRows(survey, registry, roles, defaultLocale(settings));
const [last] = await readMarkers(storage.db);
const isHalf = resume !== undefined && last !== undefined && last.finishedAt === null;
const fresh: Marker = {
  ...{ archive: survey.fingerprint, groups: GROUPS, name: 'test', mode: 'fresh', stage: 'rows', done: 0 },
  ...{ startedAt: 1_770_000_000_000, finishedAt: null },
};
if (last === undefined) {
  const statements = beginStatements(fresh, []).map(({ sql, params }) => storage.db.prepare(sql).bind(...params));
  await storage.db.batch(statements);
}
process.stdout.write('begun\n');
if (last === undefined || isHalf)
  await writeContent({
    ...{ survey, registry, settings, types, warnings, storage, marker: last ?? fresh },
    roles,
  });
storage.close();
survey.staging.close();
