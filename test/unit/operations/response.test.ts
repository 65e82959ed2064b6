/**
 * @module The response with one document, of the rows that its plan finds.
 */
import { describe, expect, it } from 'vitest';
import { invalid } from '../../../src/common/errors.ts';
import { oneDocument, oneWithoutRevision, oneWritten, withTime } from '../../../src/content/operations/response.ts';
import { systemType } from '../../../src/schema/system-types.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { onePlan, refusal } from '../plan/support.ts';

const registry = registryOf([contentType('note', { title: { type: 'string' } })]);
const note = systemType(registry, 'api::note.note');
const plan = onePlan(note, 'fields=title', { registry });
const rowOf = (document: string, updated_at = 1) => ({ id: 1, document_id: document, title: document, updated_at });
const plain =
  () =>
  <T>(document: T): T =>
    document;
type Rows = readonly ReturnType<typeof rowOf>[];

const shown = (rows: Rows) => oneDocument(plan, plain).decode([rows]);

describe('one document', () => {
  it('is a 404 where no row is found, or rows of several documents are', () => {
    expect(refusal(() => shown([])).status).toBe(404);
    expect(refusal(() => shown([rowOf('a'), rowOf('a'), rowOf('b')])).status).toBe(404);
    expect(shown([rowOf('a'), rowOf('a')]).body.data).toMatchObject({ documentId: 'a' });
  });

  it('has a revision of its row and its time, which it shows only where it is selected', () => {
    const [first, second] = [shown([rowOf('a')]), shown([rowOf('a', 2)])];
    expect(JSON.parse(JSON.stringify(first.body))).toEqual({ data: { id: 1, documentId: 'a', title: 'a' }, meta: {} });
    expect(first.revision).toBeDefined();
    expect(first.revision).not.toBe(second.revision);
    expect(shown([{ ...rowOf('a'), id: 2 }]).revision).not.toBe(first.revision);
    const timed = oneDocument(onePlan(note, 'fields=updatedAt', { registry }), plain).decode([[rowOf('a', 2)]]);
    expect(timed).toMatchObject({
      body: { data: { updatedAt: '1970-01-01T00:00:00.002Z' } },
      revision: second.revision,
    });
    expect(oneWithoutRevision(plan, plain).decode([[rowOf('a')]])).toEqual({ body: first.body });
  });

  it('is read with its time once', () => {
    const names = withTime(plan).selection.attributes.map(({ name }) => name);
    expect(names).toEqual(['title', 'updatedAt']);
    const timed = onePlan(note, 'fields=updatedAt', { registry });
    expect(withTime(timed)).toBe(timed);
  });
});

describe('a written document', () => {
  const written = (error: Error) =>
    oneWritten(plan, () => () => {
      throw error;
    }).decode([[rowOf('a')]]);

  it('has no source maps where it is too large with them, and is formatted otherwise', () => {
    expect(written(invalid('too large')).body.data).toMatchObject({ title: 'a' });
    const formatted = oneWritten(plan, () => (document) => ({ ...document, title: 'mapped' })).decode([[rowOf('a')]]);
    expect(formatted.body.data).toMatchObject({ title: 'mapped' });
  });

  it('is an error where formatting fails for another reason', () => {
    expect(() => written(new TypeError('a mistake'))).toThrow('a mistake');
  });
});
