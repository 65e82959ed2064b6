/**
 * @module Files: uploads onto documents, changes, and what uses them.
 */
import fc from 'fast-check';
import type { Attribute, ContentType } from '../../../src/schema/model.ts';
import { FILE_UID } from '../../../src/schema/system-types.ts';
import { either, listQuery, type Requests, withQuery } from '../subject.ts';

const isMedia = ({ kind }: Attribute): boolean => kind === 'media';
const mediaOf = ({ attributes }: ContentType): readonly string[] =>
  [...attributes.values()].filter(isMedia).map(({ name }) => name);

const upload: Requests = (subject) =>
  subject
    .typeFor('update', (type) => mediaOf(type).length > 0)
    .chain((type) =>
      fc.tuple(
        fc.constant(type),
        subject.documentOf(type).chain(({ row }) => row),
        fc.constantFrom(...mediaOf(type), 'cover', 'picture'),
        fc.constantFrom({}, {}, { headers: { 'idempotency-key': 'upload' } }),
      ),
    )
    .map(([type, id, field, more]) => ({
      method: 'POST',
      path: '/api/upload',
      ...more,
      form: [
        { name: 'files', value: 'new bytes', file: 'new.txt' },
        ...Object.entries({ ref: type.uid, refId: id, field }).map(([name, value]) => ({ name, value })),
      ],
    }));

const change: Requests = ({ fileId }) =>
  fc.oneof(
    fileId().map((id) => ({ method: 'POST', path: `/api/upload?id=${id}`, json: { fileInfo: { caption: 'new' } } })),
    fileId(true).map((id) => ({ method: 'DELETE', path: `/api/upload/files/${id}` })),
  );

/** Addresses of private files that expire. */
const signature: Requests = ({ fileId }) =>
  fileId().map((id) => ({
    method: 'POST',
    path: `/api/upload/files/${id}/actions/sign`,
    json: { expiresIn: 60 },
  }));

export const uploads: Requests = (subject) =>
  either(4, upload(subject), either(3, change(subject), signature(subject)));

export const files: Requests = (subject) =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom('/api/upload/files', '/api/upload/files/page'),
        listQuery(subject, subject.registry.contentTypes.get(FILE_UID) as ContentType),
      )
      .map(([path, query]) => ({ method: 'GET', path: withQuery(path, query) })),
    fc
      .tuple(subject.fileId(), fc.constantFrom('populate=related', 'populate[related][populate]=*', 'populate=*'))
      .map(([id, query]) => ({ method: 'GET', path: `/api/upload/files/${id}?${query}` })),
  );
