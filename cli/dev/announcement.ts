/**
 * @module The announcement of `npm run dev`: the address, Studio, tokens, example requests.
 */

import { pathOfType } from '../../src/http/endpoint.ts';
import { isHidden, isLine } from '../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { firstUserCommand } from '../project/first-user.ts';
import { CONTENT_TYPES } from '../project/project.ts';

function examplesOf(type: ContentType): readonly string[] {
  const path = pathOfType(type);
  const text = [...type.attributes.values()].find((attribute) => isLine(attribute) && !isHidden(attribute))?.name;
  return [
    `${path}?sort=createdAt:desc&populate=*&pagination[pageSize]=2`,
    ...(text ? [`${path}?filters[${text}][$containsi]=the&fields=${text}`] : []),
    ...(type.draftAndPublish ? [`${path}?status=draft&publicationFilter=never-published`] : []),
  ];
}

/** Returns three example requests, on the demo's articles or the first collection type. */
function examples(registry: Registry): readonly string[] {
  const types = [...registry.routes.values()];
  const collection = registry.routes.get('articles') ?? types.find(({ kind }) => kind === 'collectionType');
  const singles = types.filter(({ kind }) => kind === 'singleType').map(pathOfType);
  return [...(collection ? examplesOf(collection) : []), ...singles].slice(0, 3);
}

const NO_TYPES = `${CONTENT_TYPES}/ has no content types yet. Write ${CONTENT_TYPES}/<name>/schema.json; it is served as soon as it is saved.`;

/** `demo` reads everything, `studio` has full access; absent: Studio may not write. */
export type Tokens = Readonly<{ demo: string; studio?: string | undefined }>;

export interface Announced {
  readonly url: string;
  readonly tokens: Tokens;
  readonly registry: Registry;
  readonly settings: Pick<Settings, 'roles'>;
  /** false where it is not served. */
  readonly studio: Settings['studio'];
  readonly hasUsers: boolean;
  /** Options of other commands that name the same database. */
  readonly options: readonly string[];
  /** Signs in to Studio; absent where other machines have to use the server. */
  readonly signInLink?: string | undefined;
}

/** How the link is introduced: the first one, and each that follows a used one. */
export const SIGNS_IN = 'This link signs in, once';

function studioLines({ url, tokens: { studio: token }, studio, signInLink }: Announced): readonly string[] {
  if (studio === false) return [];
  const link = signInLink ? [`${SIGNS_IN}:`, signInLink] : [];
  const signIn = token ? `Sign in with the token ${token}` : 'Sign in with the read-only token below.';
  const reach = token ? ['It may write, and works on this local database alone.'] : [];
  return [`Studio: ${url}/studio/`, ...[...link, signIn, ...reach].map((line) => `  ${line}`), ''];
}

/** Returns the lines that `npm run dev` prints once it serves. */
export function announcement(announced: Announced): readonly string[] {
  const { url, tokens, registry, settings, hasUsers, options } = announced;
  const paths = examples(registry);
  const tried = paths.map((path) => `  curl -g -H 'Authorization: Bearer ${tokens.demo}' '${url}${path}'`);
  const head = [
    '',
    `Edgewise serves ${url}`,
    '',
    ...studioLines(announced),
    ...(hasUsers ? [] : ['There is no account yet. To make one:', `  ${firstUserCommand(settings, options)}`, '']),
    `Read-only token: ${tokens.demo}`,
    '',
  ];
  return paths.length === 0 ? [...head, NO_TYPES, ''] : [...head, 'Try:', ...tried, ''];
}
