import { expect, it } from 'vitest';
import { component, contentType } from '../../support/schema-files.ts';
import { useTestDatabase } from './content-model.ts';

const database = await useTestDatabase();

const page = (name: string) => ({
  types: [contentType('page', { links: { type: 'component', component: 'shared.link', repeatable: true } })],
  components: [component('shared.link', { [name]: { type: 'string' } })],
});

it('a renamed attribute of a component keeps the value of an instance that has the new name already', async () => {
  await database.evolve(page('url'));
  const links = [
    { id: 1, href: 'new' },
    { id: 2, url: null, href: 'new' },
    { id: 3, url: 'old', href: null },
    { id: 4, url: 'old', href: 'new' },
  ];
  await database.run(`INSERT INTO pages (document_id, links) VALUES ('a', '${JSON.stringify(links)}')`);
  await database.evolve(page('href'), { rename: ['shared.link.url=href'] });
  const [row] = await database.run('SELECT links FROM pages');
  const kept: readonly { readonly href: string }[] = JSON.parse(String(row?.links));
  expect(kept.map(({ href }) => href)).toEqual(['new', 'new', 'old', 'old']);
});
