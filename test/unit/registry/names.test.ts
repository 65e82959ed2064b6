/**
 * @module Names of tables and columns.
 */
import { describe, expect, it } from 'vitest';
import { columnName, linkTable, snakeCase } from '../../../src/schema/names.ts';

describe('snakeCase', () => {
  it.each([
    ['title', 'title'],
    ['readingTime', 'reading_time'],
    ['SEOTitle', 'seo_title'],
    ['titleSEO', 'title_seo'],
    ['address2Line', 'address2_line'],
    ['site-settings', 'site_settings'],
    ['already_snake', 'already_snake'],
    ['a--b', 'a_b'],
  ])('turns %s into %s', (name, column) => {
    expect(snakeCase(name)).toBe(column);
  });
});

describe('columnName', () => {
  it.each([
    ['publishedIn', 'published_in'],
    ['true', 'true_'],
    ['FALSE', 'false_'],
  ])('turns %s into %s', (name, column) => {
    expect(columnName(name)).toBe(column);
  });
});

describe('linkTable', () => {
  it('is named after the table and the attribute', () => {
    expect(linkTable('articles', 'primaryCategory')).toBe('articles_primary_category_lnk');
  });
});
