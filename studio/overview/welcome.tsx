/**
 * @module The way to the first content type.
 */
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/toasts.tsx';

const SCHEMA = `{
  "kind": "collectionType",
  "collectionName": "articles",
  "info": { "singularName": "article", "pluralName": "articles", "displayName": "Article" },
  "options": { "draftAndPublish": true },
  "attributes": {
    "title": { "type": "string", "required": true },
    "body": { "type": "richtext" }
  }
}
`;

export function Welcome() {
  const seesAll = useModel().may('get', '/api/content-type-builder/content-types');
  return (
    <section className="card padded stack wide">
      <h2>{seesAll ? 'There is no content type yet' : 'There is no content type that you may see'}</h2>
      {!seesAll && <p>Sign in with an account or a token that may read content. In a new project:</p>}
      <p>
        While <code>npm run dev</code> runs, save this as <code>content-types/article/schema.json</code>. It is applied
        to the local database at once. Reload this page: the content type is there, with its form.
      </p>
      <pre>{SCHEMA}</pre>
      <Button icon="copy" onClick={() => copyText(SCHEMA)}>
        Copy
      </Button>
      <p>
        Then <code>npm run generate -- --name article</code> writes the migration. The content types of a Strapi project
        work as they are: <code>npm run init -- --from ../my-strapi</code> copies them.
      </p>
    </section>
  );
}
