/**
 * @module Files: uploads onto documents, changes, and what uses them.
 */
import fc from 'fast-check';
import { FILE_UID } from '../../../../src/schema/system-types.ts';
import { uidOf } from '../model.ts';
import { documentIdOf, nameOf } from '../names.ts';
import { listQuery } from '../queries.ts';
import { either, type Requests, systemGrammar, typeFor, withQuery } from '../requests.ts';
import type { Planned } from '../step.ts';

const WITH_FILES = ['sheet', 'sheet', 'leaflet', 'leaflet', 'story', 'remark'];
const file = fc.constantFrom(
  '{file1}',
  '{file2}',
  '{fileh1}',
  '{file9}',
  'fileh1'.padEnd(24, '0'),
  'file1'.padEnd(24, '0'),
);

const refId = (type: string): fc.Arbitrary<string> =>
  fc
    .tuple(nameOf(type), fc.constantFrom('', '', '/en/draft', '/en/published', '/fr/published'))
    .map(([name, version]) => (version && name !== '{new}' ? `{${name}${version}}` : documentIdOf(name)));

const upload: Requests = (caller) =>
  typeFor(caller, 'update', WITH_FILES)
    .chain((type) =>
      fc.tuple(
        fc.constant(type),
        refId(type),
        fc.constantFrom('cover', 'gallery', 'picture'),
        fc.constantFrom({}, {}, { headers: { 'idempotency-key': 'upload' } }),
      ),
    )
    .map(([type, id, field, more]) => ({
      method: 'POST',
      path: '/api/upload',
      ...more,
      form: [
        { name: 'files', value: 'new bytes', file: 'new.txt' },
        ...Object.entries({ ref: uidOf(type), refId: id, field }).map(([name, value]) => ({ name, value })),
      ],
    }));

const change: fc.Arbitrary<Planned> = fc.oneof(
  file.map((id) => ({ method: 'POST', path: `/api/upload?id=${id}`, json: { fileInfo: { caption: 'new' } } })),
  file.map((id) => ({ method: 'DELETE', path: `/api/upload/files/${id}` })),
);

export const uploads: Requests = (caller) => either(4, upload(caller), change);

export const files: Requests = (caller) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('/api/upload/files', '/api/upload/files/page'), listQuery(systemGrammar(FILE_UID, caller)))
      .map(([path, query]) => ({ method: 'GET', path: withQuery(path, query) })),
    fc
      .tuple(file, fc.constantFrom('populate=related', 'populate[related][populate]=*', 'populate=*'))
      .map(([id, query]) => ({ method: 'GET', path: `/api/upload/files/${id}?${query}` })),
  );
