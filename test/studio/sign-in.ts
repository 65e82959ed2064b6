/**
 * @module How the pages of a browser context are signed in, without the form.
 */
import type { BrowserContext } from '../clients/browser.ts';

export interface Account {
  readonly documentId: string;
  readonly username: string;
  readonly password: string;
  readonly jwt: string;
  readonly refreshToken: string;
}

/** As `studio/api/session.ts` stores it. Whoever has signed out stays so. */
function storeSession(session: string): void {
  if (sessionStorage.getItem('tested') === null) sessionStorage.setItem('studio.session', session);
  sessionStorage.setItem('tested', '');
}

/** Signs in pages that are opened later, with an API token or as a user. */
export async function signIn(context: BrowserContext, credential: string | Account): Promise<void> {
  const session =
    typeof credential === 'string'
      ? { token: credential, id: 'token', name: 'API token' }
      : {
          token: credential.jwt,
          id: credential.documentId,
          name: credential.username,
          isUser: true,
          refreshToken: credential.refreshToken,
        };
  await context.addInitScript(storeSession, JSON.stringify(session));
}
