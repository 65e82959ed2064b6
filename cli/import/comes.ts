/**
 * @module What of an archive comes into the project, and what of the admin panel does not: for those who look first.
 */
import { isObject } from '../../src/common/json.ts';
import { plural } from '../../src/common/plural.ts';
import type { SchemaFiles } from '../../src/schema/build.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { FILE_UID, FOLDER_UID, ROLE_UID, USER_UID } from '../../src/schema/system-types.ts';
import { counted, listed } from '../core/counted.ts';
import type { Survey } from './survey.ts';

interface TypeCounts {
  readonly uid: string;
  readonly documents: number;
  readonly versions: number;
}

/** Counts of what an import takes, by kind. */
export interface Comes {
  readonly contentTypes: number;
  readonly components: number;
  /** Of each type with content, by uid. Users, files and folders are types, too. */
  readonly types: readonly TypeCounts[];
  readonly settings: Readonly<Record<'roles' | 'locales' | 'webhooks' | 'providers', number>>;
}

const COUNTS = `
  select here as uid, count(distinct document_id) as documents, count(*) as versions from rows
  where here is not null and not is_double and type <> ?
  group by here order by here`;

const settingCounts = ({ roles = {}, i18n, webhooks, users }: SettingsInput): Comes['settings'] => ({
  roles: Object.keys(roles).length,
  locales: i18n?.locales?.length ?? 0,
  webhooks: webhooks?.length ?? 0,
  providers: Object.keys(users?.providers ?? {}).length,
});

/**
 * Counts what comes, once rows are resolved.
 * @param files the content types that the import takes
 * @param settings undefined: the import does not take them
 */
export function countComing({ staging }: Survey, files: SchemaFiles, settings: SettingsInput | undefined): Comes {
  return {
    contentTypes: files.contentTypes.length,
    components: files.components.length,
    types: staging.prepare(COUNTS).all(ROLE_UID) as unknown as readonly TypeCounts[],
    settings: settingCounts(settings ?? {}),
  };
}

/** Of types that are no content types of the project. */
const SYSTEM_LINES: Readonly<Record<string, (documents: number) => string>> = {
  [USER_UID]: (documents) => `${counted(documents, 'user')}, ${plural(documents, 'password')} included`,
  [FILE_UID]: (documents) => `${counted(documents, 'upload')} in the media library`,
  [FOLDER_UID]: (documents) => `${counted(documents, 'folder')} in the media library`,
};

const typeLine = ({ uid, documents, versions }: TypeCounts): string =>
  SYSTEM_LINES[uid]?.(documents) ?? `${uid}: ${counted(documents, 'document')}, ${counted(versions, 'version')}`;

function settingLines({ roles, locales, webhooks, providers }: Comes['settings']): readonly string[] {
  const parts = [
    [roles, counted(roles, 'role')],
    [locales, counted(locales, 'locale')],
    [webhooks, counted(webhooks, 'webhook')],
    [providers, counted(providers, 'login provider')],
  ] as const;
  const some = parts.flatMap(([count, text]) => (count > 0 ? [text] : []));
  return some.length > 0 ? [`${listed(some)}: settings, with what each role may do`] : [];
}

/** A line for each kind of what comes. */
export const comingLines = ({ contentTypes, components, types, settings }: Comes): readonly string[] => [
  ...(contentTypes > 0 ? [`${counted(contentTypes, 'content type')} and ${counted(components, 'component')}`] : []),
  ...types.map(typeLine),
  ...settingLines(settings),
];

/** What the archive has of the admin panel. */
export function panelLines({ configuration }: Survey): readonly string[] {
  const keys = configuration.filter(({ type }) => type === 'core-store').map(({ value }) => value);
  const views = keys.filter(({ key }) => String(key).startsWith('plugin_content_manager_configuration_')).length;
  const texts = keys.find(({ key }) => key === 'plugin_users-permissions_email')?.value;
  const emails = isObject(texts) ? Object.keys(texts).length : 0;
  return [
    ...(views > 0 ? [`${counted(views, 'view')} of the admin panel`] : []),
    ...(emails > 0 ? [`${counted(emails, 'text')} of e-mails: see the setting email`] : []),
  ];
}
