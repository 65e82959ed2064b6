/**
 * @module The way to the first content type.
 */
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';

const SCHEMA = JSON.stringify(
  {
    kind: 'collectionType',
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string', required: true }, body: { type: 'richtext' } },
  },
  null,
  2,
);

export function Welcome() {
  const maySeeAll = useModel().may('get', '/api/content-type-builder/content-types');
  const copy = () =>
    navigator.clipboard.writeText(SCHEMA).then(
      () => notify('Copied'),
      (e) => notifyError('Not copied', e),
    );
  return (
    <section className="card overview-card">
      <h2>{maySeeAll ? 'There is no content type yet' : 'There is no content type that you may see'}</h2>
      {!maySeeAll && <p>Sign in with an account or a token that has the right to read content. In a new project:</p>}
      <p>
        While <code>npm run dev</code> runs, save this as <code>content-types/article/schema.json</code>. It is applied
        to the local database at once. Reload this page: the content type is there, with its forms and its part of the
        API.
      </p>
      <pre>{SCHEMA}</pre>
      <Button icon="copy" onClick={copy}>
        Copy
      </Button>
      <p>
        When a change is done, <code>npm run generate -- --name article</code> writes the migration for the deployed
        database. Files of a Strapi project work as they are: <code>npm run init -- --from ../my-strapi</code> copies
        them.
      </p>
    </section>
  );
}
