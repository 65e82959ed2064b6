/**
 * @module Which attribute a new file may become that of.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../../src/access/grants.ts';
import { attachmentOf } from '../../../src/features/files/attach.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('gadget', { cover: { type: 'media' }, proof: { type: 'media', writable: false } }),
]);

const settings = parseSettings({});

const attached = (field: string) =>
  attachmentOf(
    new Map([
      ['ref', ['api::gadget.gadget']],
      ['refId', ['1']],
      ['field', [field]],
    ]),
    { registry, settings },
    { grants: EVERYTHING },
  ).decode([]);

describe('a file with ref, refId and field', () => {
  it('becomes that of a media attribute', () => {
    expect(attached('cover')).toMatchObject({ row: { id: 1 }, multiple: false, table: { name: 'gadgets_cover_lnk' } });
  });

  it('is rejected for an attribute that no request may set', () => {
    expect(() => attached('proof')).toThrow('Invalid field. Expected a media attribute of api::gadget.gadget');
  });
});
