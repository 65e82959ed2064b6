/**
 * @module The way in with an API token.
 */
import { request, startTokenSession } from '../api/request.ts';
import { text, textWith } from '../texts/text.ts';
import { describedBy, Field } from '../ui/inputs.tsx';
import { isOfDev, SignInForm } from './sign-in.tsx';

/** A token is wrong if the description is rejected with it. */
async function signInToken(form: FormData): Promise<() => void> {
  const token = String(form.get('token')).replaceAll(/\s/g, '');
  await request('/openapi.json', { headers: { authorization: `Bearer ${token}` } });
  return () => startTokenSession(token, form.has('keep'));
}

const COMMAND = <code>npx edgewise token create --name studio --type full-access</code>;

const MADE = () => textWith('{command} makes one.', { command: COMMAND });
const PRINTED = () => textWith('{command} prints one.', { command: <code>npm run dev</code> });

export const TokenSignIn = () => (
  <SignInForm signIn={signInToken}>
    <Field id="token" label={text('API token')} hint={isOfDev() ? PRINTED() : MADE()}>
      <input {...describedBy('token')} name="token" type="password" autoComplete="off" required />
    </Field>
  </SignInForm>
);
