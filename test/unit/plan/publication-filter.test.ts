/**
 * @module `publicationFilter`: which rows each of its values selects.
 */
import { describe, expect, it } from 'vitest';
import { typeAt } from '../../support/recorded-registry.ts';
import { listPlan } from './support.ts';

const issues = typeAt('issues');
const whereOf = (filter: string, status: string) =>
  listPlan(issues, `publicationFilter=${filter}&status=${status}`).where;

describe('publicationFilter', () => {
  it.each([
    ['never-published', 'published'],
    ['never-published-document', 'published'],
    ['published-without-draft', 'draft'],
    ['published-with-draft', 'draft'],
  ])('%s selects nothing among %s rows', (filter, status) => {
    expect(whereOf(filter, status)).toEqual({ kind: 'never' });
  });

  it.each([
    ['never-published', 'draft', { exists: false, scope: 'version' }],
    ['never-published-document', 'draft', { exists: false, scope: 'document' }],
    ['has-published-version', 'draft', { exists: true, scope: 'version' }],
    ['has-published-version', 'published', { exists: true, scope: 'version' }],
    ['has-published-version-document', 'draft', { exists: true, scope: 'document' }],
    ['modified', 'draft', { exists: true, scope: 'version', modified: true }],
    ['unmodified', 'published', { exists: true, scope: 'version', modified: false }],
    ['published-without-draft', 'published', { exists: false, scope: 'version' }],
    ['published-with-draft', 'published', { exists: true, scope: 'version' }],
  ])('%s among %s rows is %j', (filter, status, rule) => {
    expect(whereOf(filter, status)).toEqual({ kind: 'other-version', status, ...rule });
  });

  it('has no effect on a type without drafts', () => {
    expect(listPlan(typeAt('authors'), 'publicationFilter=modified').where).toBeUndefined();
  });
});
