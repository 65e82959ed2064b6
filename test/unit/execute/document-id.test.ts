import { describe, expect, it } from 'vitest';
import { newDocumentId } from '../../../src/content/runtime/document-id.ts';

describe('newDocumentId', () => {
  it('returns 24 small letters and digits, a letter first', () => {
    const ids = Array.from({ length: 200 }, newDocumentId);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(new Set(ids.flatMap((id) => [...id])).size).toBe(36);
  });
});
