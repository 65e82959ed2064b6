/**
 * @module Pages without a session: one asks for a link to choose a password, the other one chooses it. Links of
 * invitations lead to the second one.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { request, type SignedIn, startSession } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { wanted } from '../api/wanted.ts';
import { text, textWith } from '../texts/text.ts';
import { useWhileHere } from '../ui/late.ts';
import { StudioMark } from '../ui/mark.tsx';
import { ActionForm, Email, NewPassword } from './form.tsx';

function Frame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
  return (
    <main className="stack sign-in">
      <StudioMark />
      <h1>{title}</h1>
      {children}
      <Link to={wanted()}>{text('To the sign-in')}</Link>
    </main>
  );
}

export function ForgotPage() {
  const [isSent, setSent] = useState(false);
  const send = async (form: FormData) => {
    await request('/api/auth/forgot-password', { method: 'POST', body: { email: form.get('email') } });
    setSent(true);
  };
  return (
    <Frame title={text('Forgot your password?')}>
      {isSent ? (
        <p role="status">
          {text('If there is an account with this address, a message with a link is on its way to it.')}
        </p>
      ) : (
        <ActionForm label={text('Send the link')} action={send}>
          <Email autoComplete="email" />
        </ActionForm>
      )}
    </Frame>
  );
}

export function ResetPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const leave = useWhileHere(() => navigate(wanted(), { replace: true }));
  const choose = async (form: FormData) => {
    const body = { code: search.get('code') ?? '', ...Object.fromEntries(form) };
    const isSamePerson = personCheck();
    const { body: signedIn } = await request<SignedIn>('/api/auth/reset-password', { method: 'POST', body });
    // Another user may have signed in meanwhile.
    if (!isSamePerson()) return;
    startSession(signedIn);
    leave();
  };
  return (
    <Frame title={text('Choose a password')}>
      <ActionForm label={text('Save and sign in')} action={choose}>
        <NewPassword name="password" label={text('New password')} required />
        <NewPassword name="passwordConfirmation" label={text('Repeat the password')} required />
      </ActionForm>
      <p className="muted small">
        {textWith('The link of this page works once. {link}', {
          link: <Link to="/forgot">{text('Ask for another one')}</Link>,
        })}
      </p>
    </Frame>
  );
}
