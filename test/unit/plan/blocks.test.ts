/**
 * @module The structure of a `blocks` value.
 */
import { describe, expect, it } from 'vitest';
import { normaliseBlocks } from '../../../src/content/plan/validate/blocks.ts';
import { typeOf } from '../../support/schema-files.ts';
import { messagesFor, validated } from './rules-support.ts';

const text = (content: unknown = 'a') => ({ type: 'text', text: content });
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children });
const issuesOf = (content: unknown) =>
  validated(typeOf({ it: { type: 'blocks' } }), { it: content }, 'draft').issues.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('blocks that are refused', () => {
  it.each([
    ['a node of no known type', [{ type: 'nope' }], 'it.0: Block node is of invalid type'],
    ['a node that is no object', ['text'], 'it.0: Block node is of invalid type'],
    ['a node of an inherited name', [{ type: 'toString', children: [] }], 'it.0: Block node is of invalid type'],
    ['a paragraph without children', [{ type: 'paragraph' }], 'it.0.children: it[0].children is a required field'],
    [
      'a paragraph of no children',
      [paragraph()],
      'it.0.children: Paragraph node children must have at least one Text or Link node',
    ],
    [
      'a text without text',
      [paragraph({ type: 'text' })],
      'it.0.children.0.text: Text must be defined with at least an empty string',
    ],
    ['a child of no known type', [paragraph({ type: 'image' })], 'it.0.children.0: Inline node must be Text or Link'],
    [
      'a link that leads nowhere',
      [paragraph({ type: 'link', url: 'javascript:alert(1)', children: [text()] })],
      'it.0.children.0.url: Please specify a valid link.',
    ],
    [
      'a heading of level 7',
      [{ type: 'heading', level: 7, children: [text()] }],
      'it.0.level: it[0].level must be one of the following values: 1, 2, 3, 4, 5, 6',
    ],
    [
      'a list of no format',
      [{ type: 'list', children: [{ type: 'list-item', children: [text()] }] }],
      'it.0.format: it[0].format is a required field',
    ],
    [
      'a list of paragraphs',
      [{ type: 'list', format: 'ordered', children: [paragraph(text())] }],
      'it.0.children.0: Inline node must be list-item or list',
    ],
  ])('%s', (_, content, issue) => {
    expect(issuesOf(content)).toEqual([issue]);
  });

  it.each(['text', 1, { a: 1 }, 'null'])('children that are no list, told as null: %j', (children) => {
    expect(issuesOf([{ type: 'paragraph', children }])[0]).toMatch(
      /^it.0.children: it\[0\].children must be a `array` type, but the final value was: `null` \(cast from/,
    );
  });

  it('are told all at once', () => {
    expect(issuesOf([{ type: 'nope' }, paragraph(), paragraph({ type: 'text' })])).toHaveLength(3);
  });
});

describe('blocks that pass', () => {
  it.each([
    ['an empty list', []],
    ['a paragraph', [paragraph(text())]],
    ['an empty text', [paragraph(text(''))]],
    ['text as a number', [paragraph(text(5))]],
    ['marks', [paragraph({ ...text(), bold: true, code: 'true' })]],
    ['keys of its own', [{ ...paragraph(text()), color: 'red' }]],
    ['a link to a path', [paragraph({ type: 'link', url: '/about', children: [text()] })]],
    ['a mail address', [paragraph({ type: 'link', url: 'mailto:a@example.com', children: [text()] })]],
    ['a heading', [{ type: 'heading', level: '2', children: [text()] }]],
    [
      'a nested list',
      [
        {
          type: 'list',
          format: 'unordered',
          children: [{ type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [text()] }] }],
        },
      ],
    ],
    ['code', [{ type: 'code', language: null, children: [text()] }]],
    ['a quote', [{ type: 'quote', children: [text()] }]],
  ])('%s', (_, content) => {
    expect(issuesOf(content)).toEqual([]);
  });

  it('may be JSON text; other text counts as null', () => {
    expect(messagesFor({ type: 'blocks' }, JSON.stringify([paragraph(text())]))).toEqual([]);
    expect(messagesFor({ type: 'blocks', required: true }, 'text')).toHaveLength(1);
  });
});

it('what came as text takes the type of its key, in the nodes that have it', () => {
  const marked = { type: 'text', text: 5, bold: 'TRUE', italic: '0', code: 1, level: '2' };
  const image = { type: 'image', image: { width: '3', height: 4, size: '5.5', name: 'n' }, children: [text()] };
  expect(normaliseBlocks([{ type: 'heading', level: '2', children: [marked] }, image])).toEqual([
    {
      type: 'heading',
      level: 2,
      children: [{ type: 'text', text: '5', bold: true, italic: false, code: true, level: '2' }],
    },
    { ...image, image: { width: 3, height: 4, size: 5.5, name: 'n' } },
  ]);
  const odd = [{ type: 'paragraph', level: '3', bold: 'true', children: [text()] }, { type: 'toString' }, null, 5];
  expect(normaliseBlocks(odd)).toEqual(odd);
});

describe('an image', () => {
  const needed = {
    ...{ name: 'a', url: '/a.png', width: 1, height: '2', hash: 'h', ext: '.png', mime: 'image/png', size: 1.5 },
    ...{ provider: 'local', createdAt: 'x', updatedAt: 'y' },
  };
  const image = (more: object) => [{ type: 'image', image: { ...needed, ...more }, children: [] }];

  it.each(Object.keys(needed))('needs %s', (key) => {
    expect(issuesOf(image({ [key]: undefined }))).toEqual([
      `it.0.image.${key}: it[0].image.${key} is a required field`,
    ]);
  });

  it('that is no object lacks all of them', () => {
    expect(issuesOf([{ type: 'image', image: 5, children: [] }])).toHaveLength(Object.keys(needed).length);
  });

  it.each([
    {},
    { alternativeText: '', caption: '', previewUrl: '', provider_metadata: 5 },
    { alternativeText: null, caption: 'a', formats: {}, previewUrl: null, name: 5, ext: true },
  ])('may have %j', (more) => {
    expect(issuesOf(image(more))).toEqual([]);
  });

  it.each<readonly [string, unknown, string]>([
    ['name', '', 'is a required field'],
    ['url', {}, 'must be a `string` type'],
    ['alternativeText', [], 'must be a `string` type'],
    ['caption', {}, 'must be a `string` type'],
    ['previewUrl', [], 'must be a `string` type'],
    ['formats', 'x', 'must be a `object` type'],
    ...['', ' ', 'x', true, null, Number.NaN].map((value) => ['width', value, 'must be a `number` type'] as const),
  ])('has no %s that is %j', (key, value, message) => {
    const issues = issuesOf(image({ [key]: value }));
    expect(issues).toEqual([expect.stringContaining(`it.0.image.${key}: it[0].image.${key} ${message}`)]);
  });
});

describe('a link', () => {
  const link = (url: unknown, children: readonly unknown[] = []) => [paragraph({ type: 'link', url, children })];

  it.each(['http://a.example', 'https://a.example', 'ftp://a.example', 'mailto:a@b.example', 'tel:1', '/a'])(
    'may lead to %s',
    (url) => {
      expect(issuesOf(link(url))).toEqual([]);
    },
  );

  it.each(['data:text/html,a', 'a', '', 5, null, undefined])('does not lead to %j', (url) => {
    expect(issuesOf(link(url))).toEqual(['it.0.children.0.url: Please specify a valid link.']);
  });

  it('has a text, and texts alone below it', () => {
    expect(issuesOf(link({}))).toEqual([expect.stringContaining('url must be a `string` type')]);
    expect(issuesOf(link('/a', link('/b')[0]?.children))).toEqual([
      'it.0.children.0.children.0: Inline node must be Text or Link',
    ]);
  });
});

describe('a mark', () => {
  const marked = (mark: object) => issuesOf([paragraph({ ...text(), ...mark })]);

  it.each(['bold', 'italic', 'underline', 'strikethrough', 'code'])('%s is a flag', (name) => {
    for (const value of [true, 'True', '1', 1, false, 'FALSE', '0', 0, undefined])
      expect([value, marked({ [name]: value })]).toEqual([value, []]);
    for (const value of ['yes', 2, null, {}])
      expect([value, marked({ [name]: value })]).toEqual([
        value,
        [expect.stringContaining('must be a `boolean` type')],
      ]);
  });
});

describe('the parts of a block', () => {
  const empty = (kind: string) => `it.0.children: ${kind} node children must have at least one Text or Link node`;

  it.each<readonly [string, object, readonly string[]]>([
    ['an empty heading', { type: 'heading', level: 1, children: [] }, [empty('Heading')]],
    ['an empty quote', { type: 'quote', children: [] }, [empty('Quote')]],
    ['empty code', { type: 'code', children: [] }, [empty('Quote')]],
    [
      'an empty list',
      { type: 'list', format: 'ordered', children: [] },
      ['it.0.children: List node children must have at least one ListItem or ListNode'],
    ],
    ['an empty item', { type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [] }] }, []],
    [
      'a link in code',
      { type: 'code', children: [{ type: 'link', url: '/a', children: [] }] },
      ['it.0.children.0: Inline node must be Text or Link'],
    ],
    ['no language', { type: 'code', language: '', children: [text()] }, []],
    ['a number as language', { type: 'code', language: 5, children: [text()] }, []],
    [
      'a list as language',
      { type: 'code', language: [], children: [text()] },
      ['it.0.language: it[0].language must be a `string` type, but the final value was: `[]`.'],
    ],
    ['no level', { type: 'heading', children: [text()] }, ['it.0.level: it[0].level is a required field']],
    ...[{}, null, 'x', 0].map(
      (level) =>
        [
          `the level ${JSON.stringify(level)}`,
          { type: 'heading', level, children: [text()] },
          ['it.0.level: it[0].level must be one of the following values: 1, 2, 3, 4, 5, 6'],
        ] as const,
    ),
    [
      'an unknown format',
      { type: 'list', format: 'other', children: [{ type: 'list-item', children: [text()] }] },
      ['it.0.format: it[0].format must be one of the following values: ordered, unordered'],
    ],
    ['text as a flag', paragraph(text(true)), []],
    [
      'text as a list',
      paragraph(text([])),
      ['it.0.children.0.text: Text must be defined with at least an empty string'],
    ],
  ])('%s', (_, node, issues) => {
    expect(issuesOf([node])).toEqual(issues);
  });
});
