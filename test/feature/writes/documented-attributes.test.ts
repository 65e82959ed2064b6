/**
 * @module The examples of `docs/attributes.md`: each body is accepted, each response shown, and each filter finds its document.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import page from '../../../docs/attributes.md?raw';
import { FIELDS } from '../../../src/schema/fields.ts';
import { type Client, clientOf, documentOf, documentsOf } from '../../support/client.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { formOf, postForm, TEXT } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

/** The author in the examples. */
const SHOWN_ID = 'hs6g0jq5tmkd1w4x2z9c8v7b';

/** The types that no column holds. */
const LINKED = ['relation', 'media', 'component', 'dynamiczone'];

interface Example {
  readonly name: string;
  readonly schema: { readonly type: string };
  readonly body: string;
  readonly response: string;
  readonly filter: string;
}

const examples: readonly Example[] = [...page.matchAll(/^\| `("(\w+)": \{.*?)` \|(.*)\|(.*)\|(.*)\|$/gm)].map(
  ([, schema = '', name = '', ...cells]) => {
    const [body = '', response = '', filter = ''] = cells.map((cell) => cell.trim().replaceAll('`', ''));
    return { name, schema: JSON.parse(`{${schema}}`)[name], body, response, filter };
  },
);

const registry = registryOf(
  [
    contentType('author', { name: { type: 'string' } }),
    contentType('example', Object.fromEntries(examples.map(({ name, schema }) => [name, schema]))),
  ],
  [component('shared.link', { label: { type: 'string' } })],
);
const { send } = openWorld(registry);
let client: Client;
let author = '';
let file = 0;

beforeAll(async () => {
  client = clientOf(send, 'full');
  author = (await documentOf(client.create('/api/authors', { name: 'Ida' }))).documentId;
  const [stored] = (await (await postForm(send, formOf([TEXT]))).json()) as { id: number }[];
  file = stored?.id ?? 0;
});

/** A text of the page with the ids of this database. */
const here = (text: string): string =>
  text.replaceAll(SHOWN_ID, author).replace('"cover": 1', `"cover": ${file}`).replace('"id": 1', `"id": ${file}`);

describe('the page of attribute types', () => {
  it('has an example of each type', () => {
    expect(new Set(examples.map(({ schema }) => schema.type))).toEqual(new Set([...Object.keys(FIELDS), ...LINKED]));
  });

  it.each(examples)('shows what is written, and finds it: $name', async ({ name, body, response, filter }) => {
    await client.create('/api/examples', {});
    const { documentId } = await documentOf(client.create('/api/examples', JSON.parse(here(`{${body}}`))));
    const shown = await documentOf(client.get(`/api/examples/${documentId}?populate=*`));
    if (response === '') expect(shown).not.toHaveProperty(name);
    else expect(shown).toMatchObject(JSON.parse(here(`{${response}}`)));
    if (filter === '') return;
    const found = await documentsOf(client.get(`/api/examples?${here(filter)}`));
    expect(found.map((document) => document.documentId)).toEqual([documentId]);
  });
});
