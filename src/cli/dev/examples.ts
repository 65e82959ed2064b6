/**
 * @module The announcement of `npm run dev`: the address, a token, example requests.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import { CONTENT_TYPES } from '../project/project.ts';

/** The path of a content type in the API. */
export const pathOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

function examplesOf(type: ContentType): readonly string[] {
  const path = pathOf(type);
  const text = [...type.attributes.values()].find((item) => item.kind === 'scalar' && item.type === 'string')?.name;
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
  const singles = types.filter(({ kind }) => kind === 'singleType').map(pathOf);
  return [...(collection ? examplesOf(collection) : []), ...singles].slice(0, 3);
}

const NO_TYPES = `${CONTENT_TYPES}/ has no content types yet. Take those of a Strapi project, npm run init -- --from <folder>, or write ${CONTENT_TYPES}/<name>/schema.json; it is served as soon as it is saved.`;

export function announcement(url: string, token: string, registry: Registry): readonly string[] {
  const paths = examples(registry);
  const tried = paths.map((path) => `  curl -g -H 'Authorization: Bearer ${token}' '${url}/api/${path}'`);
  const head = ['', `Edgewise serves ${url}`, `Read-only token: ${token}`, ''];
  return paths.length === 0 ? [...head, NO_TYPES, ''] : [...head, 'Try:', ...tried, ''];
}
