/**
 * @module The language that a reader of `/` gets.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localeOf, preferredLocale } from '../lib/texts.ts';

test('the first language that the site has is preferred', () => {
  assert.equal(preferredLocale('fr-CA,fr;q=0.9,en;q=0.8'), 'fr');
  assert.equal(preferredLocale('pl, fr;q=0.5, en;q=0.4'), 'fr');
  assert.equal(preferredLocale('en;q=0.5, fr'), 'fr');
});

test('the default language is for all others', () => {
  assert.equal(preferredLocale(''), 'en');
  assert.equal(preferredLocale('pl'), 'en');
  assert.equal(localeOf('constructor'), 'en');
});
