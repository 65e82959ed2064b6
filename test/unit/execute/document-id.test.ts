import { describe, expect, it } from 'vitest';
import { newDocumentId } from '../../../src/content/runtime/document-id.ts';

describe('newDocumentId', () => {
  it('returns 24 small letters and digits, a letter first', () => {
    for (let round = 0; round < 200; round += 1) expect(newDocumentId()).toMatch(/^[a-z][a-z0-9]{23}$/);
  });
});
