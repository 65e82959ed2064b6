/**
 * @module Signing in: with an account of the API, with an API token, or not at all.
 */
import { Tabs } from '@base-ui/react/tabs';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ApiError, request } from '../api/request.ts';
import { setSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { describedBy, Field } from '../ui/inputs.tsx';

interface SignedIn {
  readonly jwt: string;
  readonly refreshToken?: string;
  readonly user: { readonly username: string };
}

async function signInUser(form: FormData): Promise<void> {
  const body = { identifier: form.get('identifier'), password: form.get('password') };
  const reply = await request<SignedIn>('/api/auth/local', { method: 'POST', body });
  const { jwt, refreshToken, user } = reply.body;
  setSession({ token: jwt, name: user.username, isUser: true, ...(refreshToken && { refreshToken }) });
}

/** A token is wrong if the description is refused with it. */
async function signInToken(form: FormData): Promise<void> {
  const token = String(form.get('token')).replaceAll(/\s/g, '');
  await request('/openapi.json', { headers: { authorization: `Bearer ${token}` } });
  setSession({ token, name: 'API token' });
}

interface SignInFormProps {
  readonly signIn: (form: FormData) => Promise<void>;
  readonly children: ReactNode;
}

function SignInForm({ signIn, children }: SignInFormProps) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await signIn(new FormData(event.currentTarget));
    } catch (failure) {
      const isWrongToken = failure instanceof ApiError && failure.status === 401;
      setError(isWrongToken ? 'This token is not valid here.' : (failure as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="stack">
      {children}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <Button look="primary" type="submit" disabled={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

const HINT = (
  <>
    <code>npx edgewise token create --name studio --type full-access</code> makes one.
  </>
);

export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Studio';
  }, []);
  return (
    <main className="stack sign-in">
      <h1>Studio</h1>
      <Tabs.Root defaultValue="account">
        <Tabs.List className="tabs">
          <Tabs.Tab value="account" className="tab">
            Account
          </Tabs.Tab>
          <Tabs.Tab value="token" className="tab">
            API token
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="account">
          <SignInForm signIn={signInUser}>
            <Field id="identifier" label="User name or e-mail address">
              <input id="identifier" name="identifier" autoComplete="username" required />
            </Field>
            <Field id="password" label="Password">
              <input id="password" name="password" type="password" autoComplete="current-password" required />
            </Field>
          </SignInForm>
        </Tabs.Panel>
        <Tabs.Panel value="token">
          <SignInForm signIn={signInToken}>
            <Field id="token" label="API token" hint={HINT}>
              <input {...describedBy('token')} name="token" type="password" autoComplete="off" required />
            </Field>
          </SignInForm>
        </Tabs.Panel>
      </Tabs.Root>
      <p className="muted">
        You stay signed in until this tab is closed.{' '}
        <Button look="quiet" onClick={() => setSession({ token: '', name: 'Not signed in' })}>
          Look around without signing in
        </Button>
      </p>
    </main>
  );
}
