/**
 * @module 60 content types of 80 attributes, and a program that reads and writes each, for the cost of its types.
 */
import { describeTypes } from '../../../cli/project/client-types.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const TYPES = 60;
const SCALARS = ['string', 'text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'json', 'blocks', 'biginteger'];

/** Each type has 68 scalars, 8 relations, 2 files, a component and a zone. */
function attributesOf(index: number): Record<string, object> {
  const next = (step: number) => `type${(index + step) % TYPES}`;
  const scalars = Array.from(
    { length: 68 },
    (_, at) => [`field${at}`, { type: SCALARS[at % SCALARS.length] }] as const,
  );
  const links = Array.from({ length: 8 }, (_, at) => {
    const kind = at % 2 === 0 ? 'manyToOne' : 'manyToMany';
    return [`link${at}`, relation(kind, next(at + 1))] as const;
  });
  return {
    ...Object.fromEntries([...scalars, ...links]),
    cover: { type: 'media' },
    gallery: { type: 'media', multiple: true },
    seo: { type: 'component', component: 'shared.seo' },
    sections: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
  };
}

/** The generated types of the model. */
export function typesOfLargeModel(): string {
  const types = Array.from({ length: TYPES }, (_, index) =>
    contentType(`type${index}`, attributesOf(index), { drafts: true, localized: true }),
  );
  const components = [
    component('shared.seo', { metaTitle: { type: 'string', required: true }, image: { type: 'media' } }),
    component('shared.quote', { text: { type: 'text' }, by: relation('oneToOne', 'type0') }),
  ];
  return describeTypes(registryOf(types, components), parseSettings({}));
}

const useOf = (index: number): string => {
  const type = `client.type${index}s`;
  return `
  for await (const { field0, link0, link1, $counts } of ${type}.each({
    filters: { field0: { $contains: 'x' }, link0: { link1: { field2: { $gt: 1 } } } },
    sort: ['field0:desc', 'link0.field1'],
    populate: { link0: { fields: ['field0'], populate: { link1: { populate: '*' } } }, link1: { withCount: true }, sections: { on: { 'shared.quote': { populate: ['by'] } } } },
  })) console.log(field0, link0?.link1[0]?.link2?.field0, link1.length, $counts.link1);
  const list${index} = await ${type}.find({ populate: '*' });
  const one${index} = await ${type}.findOne('a', { status: 'draft', populate: ['link0', 'gallery', 'link2.link0'] });
  await ${type}.create({ field0: list${index}.data[0]?.field0 ?? '', link0: one${index}.data.link0?.documentId ?? null });
  await ${type}.update('a', { field2: 1 }, { ifMatch: one${index}.etag ?? '*' });`;
};

/** A program that reads and writes each type. */
export const largeProgram = (): string => `
import { createClient } from 'edgewise-client';
import type { ContentTypes } from './content.d.ts';
const client = createClient<ContentTypes>({ url: 'https://api.example.com' });
export async function run() {${Array.from({ length: TYPES }, (_, index) => useOf(index)).join('')}
}
`;
