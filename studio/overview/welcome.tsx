/**
 * @module The first screen of callers who see no content type: the way to the first one, or to the rights to see some.
 */
import { signOut } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { useModel } from '../shell/model.ts';
import { text, textWith } from '../texts/text.ts';
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

const FirstType = () => (
  <>
    <h2>{text('There is no content type yet')}</h2>
    <p>
      {textWith(
        'While {command} runs, save this as {file}. It is applied to the local database at once. Reload this page: the content type is there, with its form.',
        { command: <code>npm run dev</code>, file: <code>content-types/article/schema.json</code> },
      )}
    </p>
    <pre>{SCHEMA}</pre>
    <Button label={text('Copy')} icon="copy" onClick={() => copyText(SCHEMA)} />
    <p>
      {textWith(
        'Then {generate} writes the migration. The content types of a Strapi project work as they are: {init} copies them.',
        {
          generate: <code>npx edgewise generate --name article</code>,
          init: <code>npx edgewise new ../my-site --from ../my-strapi</code>,
        },
      )}
    </p>
  </>
);

/** For who writes the settings. The role of the account is not opened: everybody who registers may have it. */
const RoleSettings = ({ hasManagers }: { readonly hasManagers: boolean }) => (
  <details>
    <summary>{text('For who runs this site')}</summary>
    {!hasManagers && <p>{text('No role may change users. Sign in with an API token that has full access.')}</p>}
    <p>
      {textWith('Give the account another role under Users. One for editors, in {file}:', {
        file: <code>edgewise.config.ts</code>,
      })}
    </p>
    <pre>{`roles: { editor: ['api::*', 'plugin::upload.*'] }`}</pre>
  </details>
);

const whoCanChange = (managers: readonly string[]): string =>
  managers.length === 0
    ? text('Who runs this site can change that. Then reload this page.')
    : text('A user with the role {roles} can change that. Then reload this page.', {
        roles: managers.join(text(' or ')),
      });

interface NoContentProps {
  /** Undefined for one that the settings no longer have. */
  readonly role: string | undefined;
  /** The roles that may give the account another one. */
  readonly managers: readonly string[];
}

const NoContent = ({ role, managers }: NoContentProps) => (
  <>
    <h2>{text('There is nothing to see here yet')}</h2>
    {role ? (
      <p>{textWith('Your role {role} may not see content yet.', { role: <strong>{role}</strong> })}</p>
    ) : (
      <p>{text('The settings no longer have the role of your account.')}</p>
    )}
    <p>{whoCanChange(managers)}</p>
    <RoleSettings hasManagers={managers.length > 0} />
  </>
);

const NothingPublic = () => (
  <>
    <h2>{text('There is nothing to see here yet')}</h2>
    <p>{text('Nothing here is public. Sign in to see content.')}</p>
    <Button label={text('Sign in')} look="primary" onClick={signOut} />
  </>
);

const EmptyToken = () => (
  <>
    <h2>{text('There is nothing to see here yet')}</h2>
    <p>{text('This API token may not see content. Sign in with another one, or with an account.')}</p>
    <Button label={text('Sign out')} onClick={signOut} />
  </>
);

function Reason() {
  const model = useModel();
  const session = useSession();
  if (model.may('get', '/api/content-type-builder/content-types')) return <FirstType />;
  if (!session?.token) return <NothingPublic />;
  return session.isUser ? <NoContent role={model.role} managers={model.userManagers} /> : <EmptyToken />;
}

export const Welcome = () => (
  <section className="card padded stack wide">
    <Reason />
  </section>
);
