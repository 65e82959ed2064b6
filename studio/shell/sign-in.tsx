/**
 * @module The way in: with an account of the API, with an API token, or not at all.
 */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { coming, providerFailure, providers, providerTitle } from '../api/providers.ts';
import { request, type SignedIn, startSession, startTokenSession } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { personCheck, setSession } from '../api/session.ts';
import { useFailedLink } from '../api/sign-in-link.ts';
import { text, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { describedBy, Field } from '../ui/inputs.tsx';
import { StudioMark } from '../ui/mark.tsx';
import { Tabs } from '../ui/popups.tsx';
import { Loading } from '../ui/states.tsx';
import { LanguageSelect } from './language-select.tsx';

async function signInUser(form: FormData): Promise<() => void> {
  const body = { identifier: form.get('identifier'), password: form.get('password') };
  const reply = await request<SignedIn>('/api/auth/local', { method: 'POST', body });
  return () => startSession(reply.body, form.has('keep'));
}

/** A token is wrong if the description is rejected with it. */
async function signInToken(form: FormData): Promise<() => void> {
  const token = String(form.get('token')).replaceAll(/\s/g, '');
  await request('/openapi.json', { headers: { authorization: `Bearer ${token}` } });
  return () => startTokenSession(token, form.has('keep'));
}

interface SignInFormProps {
  /** Returns what begins the session. */
  readonly signIn: (form: FormData) => Promise<() => void>;
  readonly children: ReactNode;
}

function SignInForm({ signIn, children }: SignInFormProps) {
  const mutationFn = async (form: FormData) => {
    const isSamePerson = personCheck();
    const begin = await signIn(form);
    if (isSamePerson()) begin();
  };
  // What was typed is not kept.
  const { error, isPending, mutate } = useMutation({ mutationFn, gcTime: 0 });
  const isWrongToken = error instanceof ApiError && error.status === 401;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit} className="stack">
      {children}
      <label className="check">
        <input type="checkbox" name="keep" />
        {text('Stay signed in on this device')}
      </label>
      <p className="muted small">{text('Otherwise you are signed in until this tab is closed.')}</p>
      {error && (
        <p className="danger small" role="alert">
          {isWrongToken ? text('This token is not valid here.') : error.message}
        </p>
      )}
      <Button label={text('Sign in')} look="primary" type="submit" disabled={isPending} />
    </form>
  );
}

const providerSignIn = () => import('../api/provider-sign-in.ts');

/** The providers of the settings; none is asked before its button is pressed. */
function Providers() {
  const failure = providerFailure.use();
  return (
    <>
      {failure !== undefined && (
        <p className="danger small" role="alert">
          {text('The provider did not sign you in: {reason}', { reason: failure })}
        </p>
      )}
      {providers().map((name) => (
        <Button
          key={name}
          label={text('Continue with {provider}', { provider: providerTitle(name) })}
          onClick={() => void providerSignIn().then(({ goToProvider }) => goToProvider(name))}
        />
      ))}
    </>
  );
}

const ForgotLink = () => <Link to="/forgot">{text('Forgot your password?')}</Link>;

export function AccountSignIn() {
  if (coming.use()) return <Loading />;
  return (
    <div className="stack">
      <Providers />
      <SignInForm signIn={signInUser}>
        <Field id="identifier" label={text('User name or e-mail address')}>
          <input id="identifier" name="identifier" autoComplete="username" required />
        </Field>
        <Field id="password" label={text('Password')}>
          <input id="password" name="password" type="password" autoComplete="current-password" required />
        </Field>
        <ForgotLink />
      </SignInForm>
    </div>
  );
}

const COMMAND = <code>npx edgewise token create --name studio --type full-access</code>;

const MADE = () => textWith('{command} makes one.', { command: COMMAND });
const PRINTED = () => textWith('{command} prints one.', { command: <code>npm run dev</code> });

const Token = () => (
  <SignInForm signIn={signInToken}>
    <Field id="token" label={text('API token')} hint={isOfDev() ? PRINTED() : MADE()}>
      <input {...describedBy('token')} name="token" type="password" autoComplete="off" required />
    </Field>
  </SignInForm>
);

/** Did `npm run dev` build this page? It prints a token. */
const isOfDev = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="studio-sign-in"]')?.content === 'token';

export function SignIn() {
  const account = text('Account');
  const token = text('API token');
  const isLinkUsed = useFailedLink();
  const isComing = coming.use();
  useEffect(() => {
    document.title = `${text('Sign in')} · Studio`;
    if (coming.get())
      void providerSignIn()
        .then(({ comeBack }) => comeBack())
        .finally(() => coming.set(false));
  }, []);
  if (isComing) return <Loading />;
  return (
    <main className="stack sign-in">
      <StudioMark />
      <div>
        <h1>{text('Sign in to Studio')}</h1>
        <p className="muted">{location.host}</p>
      </div>
      {isLinkUsed && (
        <p role="alert">
          {text('This link has been used, or is of an earlier start. The terminal shows the next one.')}
        </p>
      )}
      <Tabs panels={{ [account]: <AccountSignIn />, [token]: <Token /> }} defaultValue={isOfDev() ? token : account} />
      <div className="row between">
        <Button
          label={text('Look around without signing in')}
          look="quiet"
          onClick={() => setSession({ token: '', id: '', name: text('Not signed in') })}
        />
        <LanguageSelect />
      </div>
    </main>
  );
}
