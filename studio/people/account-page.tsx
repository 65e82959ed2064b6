/**
 * @module The account of the user who is signed in.
 */
import { useState } from 'react';
import { request, type SignedIn, startSession, useRead } from '../api/request.ts';
import { personCheck, session, setSession } from '../api/session.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Check, LanguageSelect } from '../ui/inputs.tsx';
import { Notice, Result } from '../ui/states.tsx';
import { showExactTimes, useExactTimes } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { ConnectedClients } from './connected-clients.tsx';
import { ActionForm, CurrentPassword, changedBy, Email, NewPassword, Username } from './form.tsx';
import { OwnProviders } from './own-providers.tsx';
import { type Person, USERS, useChange } from './person.ts';
import { Sessions } from './sessions.tsx';

const ME = `${USERS}/me`;

function NameAndAddress({ person: { username, email } }: { readonly person: Person }) {
  const disabled = !useModel().may('put', ME);
  const change = useChange();
  const [address, setAddress] = useState(email);
  const [awaited, setAwaited] = useState('');
  const save = async (form: FormData) => {
    const isSamePerson = personCheck();
    const { body } = await request<Person>(ME, { method: 'PUT', body: changedBy(form, { username, email }) });
    const held = session();
    if (held && isSamePerson()) setSession({ ...held, name: body.username });
    setAwaited(body.email === address.toLowerCase() ? '' : address);
    setAddress((now) => (now === address ? email : now));
    await change(text('Saved'), Promise.resolve());
  };
  const fields = (
    <>
      <Username key={username} defaultValue={username} disabled={disabled} />
      <Email value={address} disabled={disabled} onChange={({ target }) => setAddress(target.value)} />
    </>
  );
  if (disabled) return fields;
  return (
    <ActionForm label={text('Save')} action={save}>
      {awaited && (
        <Notice>
          {text('Follow the link in the message to {email}. Until then the old address stays.', { email: awaited })}
        </Notice>
      )}
      {fields}
      {address !== email && <CurrentPassword />}
    </ActionForm>
  );
}

function Password() {
  const save = async (form: FormData) => {
    const body = Object.fromEntries(form);
    const isSamePerson = personCheck();
    const reply = await request<SignedIn>('/api/auth/change-password', { method: 'POST', body });
    if (!isSamePerson()) return;
    startSession(reply.body, session()?.isKept);
    notify(text('The password is changed'));
  };
  return (
    <section className="card padded stack">
      <h2>{text('Password')}</h2>
      <ActionForm label={text('Change the password')} action={save}>
        <CurrentPassword />
        <NewPassword name="password" label={text('New password')} required />
        <NewPassword name="passwordConfirmation" label={text('Repeat the password')} required />
      </ActionForm>
    </section>
  );
}

function OwnAccount() {
  const model = useModel();
  const found = useRead<Person>(ME);
  // All at once, so that nothing moves.
  return (
    <Result of={found}>
      {(person) => (
        <>
          <section className="card padded stack">
            <h2>{text('Name and address')}</h2>
            <NameAndAddress key={person.email} person={person} />
          </section>
          {model.may('post', '/api/auth/change-password') && <Password />}
          {model.may('get', '/api/auth/sessions') && (
            <div className="card padded">
              <Sessions path="/api/auth/sessions" mayEnd={model.may('delete', '/api/auth/sessions/{id}')} />
            </div>
          )}
          <OwnProviders hasPassword={person.provider === 'local'} />
          <ConnectedClients />
        </>
      )}
    </Result>
  );
}

/** Everybody has a language; an API token has no account. */
export function AccountPage() {
  const model = useModel();
  const isExact = useExactTimes();
  const isOwn = session()?.isUser && model.may('get', ME);
  return (
    <PageLayout title={text('My account')} aside={!isOwn && <span className="muted">{session()?.name}</span>}>
      <div className="columns">
        <section className="card padded stack">
          <h2>{text('Language')}</h2>
          <div className="row">
            <LanguageSelect />
          </div>
          <p className="muted small">
            {text('Another language loads the page again.')}{' '}
            {text('Dates and numbers are written as in the first language of the browser.')}
          </p>
          <Check label={text('Show times with date and hour')} isOn={isExact} onChange={showExactTimes} />
        </section>
        {isOwn ? <OwnAccount /> : <ConnectedClients />}
      </div>
    </PageLayout>
  );
}
