/**
 * @module The way in: with an account of the API, with an API token, or not at all.
 */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Link } from 'react-router';
import { coming, noteAsked, providerFailure, providerTitle, waysIn, written } from '../api/providers.ts';
import { request, type SignedIn, startSession } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { personCheck, setSession } from '../api/session.ts';
import { useFailedLink } from '../api/sign-in-link.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Field, LanguageSelect } from '../ui/inputs.tsx';
import { StudioMark } from '../ui/mark.tsx';
import { Tabs } from '../ui/popups.tsx';
import { Loading } from '../ui/states.tsx';

async function signInUser(form: FormData): Promise<() => void> {
  const body = { identifier: form.get('identifier'), password: form.get('password') };
  const reply = await request<SignedIn>('/api/auth/local', { method: 'POST', body });
  return () => startSession(reply.body, form.has('keep'));
}

interface SignInFormProps {
  /** Returns what begins the session. */
  readonly signIn: (form: FormData) => Promise<() => void>;
  readonly children: ReactNode;
}

/** What was typed is sent, and not kept. */
export function SignInForm({ signIn, children }: SignInFormProps) {
  const mutationFn = async (form: FormData) => {
    const isSamePerson = personCheck();
    const begin = await signIn(form);
    if (isSamePerson()) begin();
  };
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

const Token = lazy(async () => ({ default: (await import('./token-sign-in.tsx')).TokenSignIn }));

const providerSignIn = () => import('../api/provider-sign-in.ts');

/** The providers of the settings, none of which is asked before its button is pressed, and Cloudflare Access. */
function Providers() {
  const failure = providerFailure.use();
  return (
    <>
      {failure !== undefined && (
        <p className="danger small" role="alert">
          {text('The provider did not sign you in: {reason}', { reason: failure })}
        </p>
      )}
      {waysIn().map((name) => (
        <Button
          key={name}
          label={text('Continue with {provider}', { provider: providerTitle(name) })}
          onClick={() => void providerSignIn().then(({ signInBy }) => signInBy(name))}
        />
      ))}
    </>
  );
}

const ForgotLink = () => <Link to="/forgot">{text('Forgot your password?')}</Link>;

/** Signs in who comes without a click: back from a provider, or by Access. */
function Coming() {
  useEffect(() => {
    void providerSignIn()
      .then(({ comeIn }) => comeIn())
      .finally(() => coming.set(undefined));
  }, []);
  return <Loading />;
}

export function AccountSignIn() {
  useEffect(noteAsked, []);
  if (coming.use()) return <Coming />;
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

/** Did `npm run dev` build this page? It prints a token. */
export const isOfDev = (): boolean => written('sign-in').includes('token');

const tokenPanel = (
  <Suspense fallback={<Loading />}>
    <Token />
  </Suspense>
);

export function SignIn() {
  const account = text('Account');
  const token = text('API token');
  const isLinkUsed = useFailedLink();
  const isComing = coming.use() !== undefined;
  useEffect(() => {
    document.title = `${text('Sign in')} · Studio`;
  }, []);
  if (isComing) return <Coming />;
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
      <Tabs panels={{ [account]: <AccountSignIn />, [token]: tokenPanel }} defaultValue={isOfDev() ? token : account} />
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
