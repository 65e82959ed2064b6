import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { de } from '../../../studio/texts/de.ts';

const STUDIO = join(import.meta.dirname, '../../../studio');
const files = globSync('**/*.{ts,tsx}', { cwd: STUDIO })
  .filter((file) => !file.startsWith('texts'))
  .map((file) => [file, readFileSync(join(STUDIO, file), 'utf8')] as const);
const code = files.map(([, source]) => source).join('\n');

/** The literal of a text in code. */
const literals = (text: string) => [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`];
const valuesOf = (text: string) => [...new Set([...text.matchAll(/\{\w+\}/g)].map(([name]) => name))].toSorted();
const texts = Object.entries(de);

interface AstNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

const LABELS = 'action alt aria-description aria-label cancel hint label none placeholder text title'.split(' ');
/** Elements whose content is code. */
const CODE = ['code', 'pre'];
/** Names of the API, of units and of the product. */
const NAMES =
  '_q documentId facets fallback highlights locale publicationFilter status GET KB Populate Studio bytes ms'.split(' ');

/** Returns the literals that an expression gives, those that it passes to functions left out. */
function literalsOf(node: AstNode | null): readonly string[] {
  const of = (...keys: readonly string[]) => keys.flatMap((key) => literalsOf(node?.[key] as AstNode));
  switch (node?.type) {
    case 'JSXText':
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    case 'ConditionalExpression':
      return of('consequent', 'alternate');
    case 'LogicalExpression':
      return of('left', 'right');
    case 'JSXExpressionContainer':
      return of('expression');
    default:
      return [];
  }
}

/** Returns the words that elements of React show or speak without `text`. */
function hardCoded(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(hardCoded);
  if (typeof node !== 'object' || node === null) return [];
  const { type, name, value, children, openingElement } = node as AstNode;
  const found: string[] = [];
  if (type === 'JSXAttribute' && LABELS.includes((name as AstNode).name as string))
    found.push(...literalsOf(value as AstNode));
  const tag = ((openingElement as AstNode | undefined)?.name as AstNode | undefined)?.name;
  if ((type === 'JSXElement' || type === 'JSXFragment') && !CODE.includes(String(tag)))
    found.push(...(children as AstNode[]).flatMap(literalsOf));
  return [...found, ...Object.values(node).flatMap(hardCoded)];
}

const words = (shown: string) => (shown.match(/[\p{L}_]{2,}/gu) ?? []).filter((word) => !NAMES.includes(word));

describe('the texts of Studio', () => {
  it('are none of them written in elements of React without a translation', () => {
    const untranslated = files.flatMap(([file, source]) => {
      if (!file.endsWith('.tsx')) return [];
      return hardCoded(parseAst(source, { lang: 'tsx' })).flatMap((shown) =>
        words(shown).length > 0 ? `${file}: ${shown}` : [],
      );
    });
    expect(untranslated).toEqual([]);
    const written = '<p title="A title">Some words{isOpen ? <b>Open</b> : "Shut"}</p>';
    expect(hardCoded(parseAst(written, { lang: 'tsx' })).filter((shown) => words(shown).length > 0)).toEqual(
      expect.arrayContaining(['A title', 'Some words', 'Open', 'Shut']),
    );
  });
});

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

  it('address no reader', () => {
    expect(texts.filter(([, text]) => /\bIhr(e[mnrs]?)?\b|\p{L} Sie\b/u.test(text))).toEqual([]);
  });

  it('have one word for creating', () => {
    expect(texts.filter(([, text]) => /angelegt|anlegen/.test(text))).toEqual([]);
  });
});
