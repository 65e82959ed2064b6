/**
 * @module Documents that the caller has made and used, and that are hidden from it afterwards.
 */
import fc from 'fast-check';
import { type Planned, requested, type Step } from '../../../generators/step.ts';

const NEW = '/api/stories/{new}';
const at = '2026-06-01T12:30:00.000Z';
const form = (field: string) => [
  { name: 'files', value: 'bytes', file: 'new.txt' },
  { name: 'ref', value: 'api::story.story' },
  { name: 'refId', value: '{new}' },
  { name: 'field', value: field },
];

const story: fc.Arbitrary<Planned> = fc
  .record({ audience: fc.constantFrom('public', 'team'), team: fc.constant('team1'.padEnd(24, '0')) })
  .map((data) => ({ method: 'POST', path: '/api/stories', json: { data: { title: 'taken', ...data } } }));

/** What one may do with the new document, and with what refers to it. */
const use: fc.Arbitrary<Planned> = fc.constantFrom<Planned>(
  { method: 'GET', path: `${NEW}?populate=*` },
  { method: 'GET', path: `${NEW}?status=draft` },
  { method: 'PUT', path: NEW, json: { data: { body: 'changed' } } },
  { method: 'PUT', path: `${NEW}?locale=fr`, json: { data: { body: 'changed' } } },
  { method: 'DELETE', path: NEW },
  { method: 'POST', path: `${NEW}/actions/publish` },
  { method: 'POST', path: `${NEW}/actions/unpublish` },
  { method: 'POST', path: `${NEW}/actions/publish`, json: { data: { at } } },
  { method: 'GET', path: '/api/scheduled' },
  { method: 'DELETE', path: '/api/scheduled/{entry}' },
  { method: 'GET', path: '/api/stories?_q=taken' },
  { method: 'GET', path: '/api/stories?filters[title]=taken&populate=*' },
  { method: 'POST', path: '/api/remarks', json: { data: { text: 'about it', story: '{new}' } } },
  { method: 'GET', path: '/api/remarks?populate=story&filters[story][title][$notNull]=true' },
  { method: 'PUT', path: '/api/menus/menu1'.padEnd(11 + 24, '0'), json: { data: { stories: { connect: ['{new}'] } } } },
  { method: 'GET', path: '/api/menus?populate[stories][sort]=title&populate[items]=true' },
  { method: 'POST', path: '/api/upload', form: form('cover') },
  { method: 'GET', path: '/api/upload/files?populate=related' },
);

export const taken: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    story,
    fc.array(use, { maxLength: 2, size: 'max' }),
    fc.array(use, { minLength: 1, maxLength: 3, size: 'max' }),
  )
  .map(([first, before, after]): readonly Step[] => [
    ...[first, ...before].map(requested),
    { kind: 'hide' },
    ...after.map(requested),
  ]);
