/**
 * @module `/api/upload` in the OpenAPI document, for callers with limited grants.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import { rulesOf } from '../../../src/access/rule.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import type { ConditionalGrant } from '../../../src/schema/settings/grant-setting.ts';
import { describeApi } from '../../support/describe-api.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('story', { cover: { type: 'media', multiple: false } }, { drafts: true, plural: 'stories' }),
  contentType('note', { text: { type: 'string' } }),
]);
const UPLOAD = 'plugin::upload.content-api.upload';
const UPDATE = 'api::story.story.update';

/** Returns the names of the fields of the form and of the JSON body, except for those of files. */
function fieldsFor(...granted: readonly (string | ConditionalGrant)[]): readonly (readonly string[])[] {
  const ids = [UPLOAD, ...granted.map((grant) => (typeof grant === 'string' ? grant : UPDATE))];
  const rules = rulesOf(granted);
  const grants: Grants = { ...only(ids), ...(rules && { rule: rules({ user: undefined, now: 0 }) }) };
  const { paths } = describeApi(registry, parseSettings({}), grants);
  const { post } = paths['/api/upload'] as { post: { requestBody: { content: Record<string, { schema: object }> } } };
  return Object.values(post.requestBody.content).map(({ schema }) =>
    Object.keys((schema as { properties: object }).properties).filter((name) => !name.startsWith('file')),
  );
}

/** `field` begins like `fileInfo`, but not with `file`. */
const ATTACHED = ['ref', 'refId', 'field'];

describe('the description of an upload', () => {
  it.each([
    ['may update nothing', []],
    ['may update a type without files alone', ['api::note.note.update']],
    ['may update some documents of a type', [{ action: UPDATE, where: { id: '1' } }]],
    ['may write drafts only', [{ action: UPDATE, status: 'draft' as const }]],
  ] as const)('has no ref, refId and field for a caller who %s', (_, granted) => {
    expect(fieldsFor(...granted)).toEqual([[], []]);
  });

  it('has ref, refId and field for a caller who may update a type with files', () => {
    expect(fieldsFor(UPDATE)).toEqual([ATTACHED, ATTACHED]);
  });
});
