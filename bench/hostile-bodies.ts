/**
 * @module Bodies of a megabyte that make as much work as a body can, for the recorded content model.
 */

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** `bodyBytes` of the settings, less what stands around the parts. */
const BYTES = 1_048_576 - 300;
/** `bodyEntries` of the settings: as many as are let through are more work than more that are refused. */
export const ENTRIES = 5_000;

export interface HostileBody {
  readonly name: string;
  readonly text: string;
  readonly contentType: string;
}

type Part = (index: number) => string;

/** As many parts as there is room for. */
function filled(part: Part, most = Number.POSITIVE_INFINITY, separator = ','): string {
  const parts: string[] = [];
  for (let size = 0; parts.length < most; size += (parts.at(-1)?.length ?? 0) + separator.length) {
    const next = part(parts.length);
    if (size + next.length + separator.length > BYTES) break;
    parts.push(next);
  }
  return parts.join(separator);
}

const json = (name: string, members: string): HostileBody => ({
  name,
  text: `{"data":{"title":"abc",${members}}}`,
  contentType: JSON_TYPE,
});
const form = (name: string, text: string): HostileBody => ({ name, text, contentType: FORM_TYPE });

/** A list with all that fits into the body, and one with all that the limit lets through. */
const lists = (name: string, part: Part, around: (list: string) => string): readonly HostileBody[] => [
  json(`${name}, a megabyte`, around(filled(part))),
  json(`${name}, as many as may be`, around(filled(part, ENTRIES - 1))),
];

const COMPONENTS: readonly HostileBody[] = [
  ['empty', () => '{}'],
  ['null', () => 'null'],
  ['numbers', () => '1'],
  ['valid', () => '{"label":"a","href":"b"}'],
  ['of one id', () => '{"id":1,"label":"a","href":"b"}'],
].flatMap(([what, part]) => lists(`components, ${what}`, part as Part, (list) => `"links":[${list}]`));

const ZONES: readonly HostileBody[] = [
  ...lists(
    'zone entries',
    () => '{"__component":"blocks.quote"}',
    (list) => `"sections":[${list}]`,
  ),
  ...lists(
    'zone entries with relations',
    (index) => `{"__component":"blocks.quote","speaker":${index + 1}}`,
    (list) => `"sections":[${list}]`,
  ),
  ...lists(
    'components in components',
    () => '{"label":"a","href":"b"}',
    (list) => `"sections":[{"__component":"blocks.gallery","links":[${list}]}]`,
  ),
];

const RELATIONS: readonly HostileBody[] = [
  ...['connect', 'disconnect', 'set'].flatMap((key) =>
    lists(
      `relations, ${key}`,
      (index) => `"tag${index}"`,
      (list) => `"tags":{"${key}":[${list}]}`,
    ),
  ),
  ...lists(
    'relations by number',
    (index) => `${index + 1}`,
    (list) => `"tags":[${list}]`,
  ),
  ...lists(
    'relations of no row',
    (index) => `${index + 1_000_000}`,
    (list) => `"tags":[${list}]`,
  ),
  ...['{"start":true}', '{"before":"tag0"}', '{"after":"tag1"}'].flatMap((position) =>
    lists(
      `relations placed ${position}`,
      (index) => `{"documentId":"tag${index}","position":${position}}`,
      (list) => `"tags":{"connect":[${list}]}`,
    ),
  ),
];

const DEEP = 400_000;

const BLOCKS: readonly HostileBody[] = [
  ...lists(
    'blocks',
    () => '{"type":"paragraph","children":[{"type":"text","text":"a"}]}',
    (list) => `"content":[${list}]`,
  ),
  json(
    'blocks, as many nodes as may be',
    `"content":[${filled(() => '{"type":"quote","children":[{"type":"text","text":"a"}]}', (ENTRIES - 1) / 2)}]`,
  ),
  ...lists(
    'blocks, wrong',
    () => '{"type":"image"}',
    (list) => `"content":[${list}]`,
  ),
  json('blocks as deep text', `"content":"${'['.repeat(DEEP)}${']'.repeat(DEEP)}"`),
  json('blocks as broken text', `"content":"${'['.repeat(BYTES)}"`),
];

const VALUES: readonly HostileBody[] = [
  json('JSON, a list', `"extra":[${filled(() => '1')}]`),
  json('JSON, objects', `"extra":[${filled(() => '{}')}]`),
  json('JSON, keys', `"extra":{${filled((index) => `"${index}":1`)}}`),
  json('JSON, deep lists', `"extra":[${filled(() => '['.repeat(90) + ']'.repeat(90))}]`),
  json('JSON as deep text', `"extra":"${'['.repeat(DEEP)}${']'.repeat(DEEP)}"`),
  json('JSON as wide text', `"extra":"[${filled(() => '{}')}]"`),
  json('escapes', `"body":"${'\\u0000'.repeat(BYTES / 6)}"`),
  json('quotes', `"body":"${'\\"'.repeat(BYTES / 2)}"`),
  json(
    'keys of no attribute',
    filled((index) => `"k${index}":1`),
  ),
  json(
    'one key again and again',
    filled(() => '"title":1'),
  ),
  json('a wrong object', `"title":{${filled((index) => `"a${index}":1`)}}`),
  json('a wrong list', `"readingTime":[${filled(() => '1')}]`),
  json('a long address', `"contactEmail":"a@${'a-'.repeat(BYTES / 2)}"`),
  json('a long number', `"price":"${'9'.repeat(BYTES)}"`),
  json('a long uid', `"slug":"${'a'.repeat(BYTES)}!"`),
  json('a long key', `"${'a'.repeat(BYTES)}":1`),
];

const OTHERS: readonly HostileBody[] = [
  { name: 'a list in place of data', text: `{"data":[${filled(() => '1')}]}`, contentType: JSON_TYPE },
  {
    name: 'deep lists in place of data',
    text: `{"data":[${filled(() => '['.repeat(90) + ']'.repeat(90))}]}`,
    contentType: JSON_TYPE,
  },
  { name: 'no JSON', text: `{"data":${'['.repeat(BYTES)}`, contentType: JSON_TYPE },
  form(
    'form, keys',
    filled((index) => `data[k${index}]=1`, 4_999, '&'),
  ),
  form(
    'form, a list',
    filled(() => 'data[tags][]=tag1', 1_999, '&'),
  ),
  form(
    'form, too many',
    filled(() => 'a=1', undefined, '&'),
  ),
  form('form, brackets', `data${'[a]'.repeat(BYTES / 3)}=1`),
  form('form, escapes', `data[body]=${'%41'.repeat(BYTES / 3)}`),
];

export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...COMPONENTS,
  ...ZONES,
  ...RELATIONS,
  ...BLOCKS,
  ...VALUES,
  ...OTHERS,
];
