import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de } from '../../../studio/texts/de.ts';

const STUDIO = join(import.meta.dirname, '../../../studio');
const code = globSync('**/*.{ts,tsx}', { cwd: STUDIO })
  .filter((file) => !file.startsWith('texts'))
  .map((file) => readFileSync(join(STUDIO, file), 'utf8'))
  .join('\n');

/** The literal of a text in code. */
const literals = (text: string) => [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`];
const valuesOf = (text: string) => [...new Set([...text.matchAll(/\{\w+\}/g)].map(([name]) => name))].toSorted();
const texts = Object.entries(de);

describe('the German texts of Studio', () => {
  it('are each used', () => {
    expect(texts.map(([key]) => key).filter((key) => !literals(key).some((text) => code.includes(text)))).toEqual([]);
  });

  it('have the values of the English ones', () => {
    const different = texts.filter(([key, text]) => `${valuesOf(key)}` !== `${valuesOf(text)}`);
    expect(different).toEqual([]);
  });

  it('have one and several where the English ones have them', () => {
    expect(texts.filter(([key, text]) => key.split(' | ').length !== text.split(' | ').length)).toEqual([]);
  });

  it('are none of them empty', () => {
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});
