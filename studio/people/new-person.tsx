/**
 * @module The dialog that makes a user: by an invitation, or with a password.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/request.ts';
import { onOtherPerson, personCheck } from '../api/session.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Dialog } from '../ui/popups.tsx';
import { toasts } from '../ui/toast-list.tsx';
import { copyText, notify } from '../ui/toasts.tsx';
import { ActionForm, bodyOf, Email, NewPassword, RoleField, Username } from './form.tsx';
import { OF_USERS, ROLES, USERS } from './person.ts';

const PASS_ON = 'This server sends no e-mail. Pass this link on: it is shown only now, and works once.';

const CopyLink = ({ url }: { readonly url: string }) => (
  <Button label={text('Copy the link')} icon="copy" look="primary" onClick={() => copyText(url)} />
);

/** The link is in no other response: it is shown until the dialog closes. */
const InvitationLink = ({ url }: { readonly url: string }) => (
  <>
    <p>{text(PASS_ON)}</p>
    <pre className="verbatim">{url}</pre>
    <div className="row">
      <CopyLink url={url} />
    </div>
  </>
);

/** Shows the link where the dialog was closed before it came: until it is dismissed, or the user goes. */
function keepLink(url: string): void {
  const description = (
    <>
      {url} <CopyLink url={url} />
    </>
  );
  const id = toasts.add({ title: text(PASS_ON), description, timeout: 0 });
  onOtherPerson(() => toasts.close(id));
}

interface NewPersonProps {
  readonly isInvited: boolean;
  readonly onClose: () => void;
}

export function NewPerson({ isInvited, onClose }: NewPersonProps) {
  const model = useModel();
  const queries = useQueryClient();
  const close = useWhileHere(onClose);
  const [url, setUrl] = useState('');
  const show = useWhileHere(setUrl);
  // Who may not create users invites into the role of those who register.
  const choosesRole = model.may('post', USERS) && model.may('get', ROLES);
  const make = async (form: FormData) => {
    const body = { ...(!isInvited && { role: '', confirmed: true }), ...bodyOf(form) };
    const path = isInvited ? `${USERS}/invite` : USERS;
    const isSamePerson = personCheck();
    const { sent, link } = (await request<{ sent?: boolean; link?: string }>(path, { method: 'POST', body })).body;
    // At once: the link is in no other response.
    const shown = link && new URL(link, location.href).href;
    if (shown && !show(shown) && isSamePerson()) keepLink(shown);
    await queries.invalidateQueries(OF_USERS);
    if (link) return;
    if (isInvited && !sent) throw new Error(text('The user is there, but the message could not be sent.'));
    notify(isInvited ? text('Invited') : text('Created'));
    close();
  };
  return (
    <Dialog title={isInvited ? text('Invite a user') : text('New user')} onClose={onClose}>
      {url ? (
        <InvitationLink url={url} />
      ) : (
        <ActionForm label={isInvited ? text('Invite') : text('Create')} action={make}>
          <Email />
          {isInvited ? (
            <Username required={false} hint={text('Without one, it is the e-mail address.')} />
          ) : (
            <>
              <Username />
              <NewPassword name="password" label={text('Password')} required />
            </>
          )}
          {choosesRole && <RoleField none={text('That of those who register')} />}
        </ActionForm>
      )}
    </Dialog>
  );
}
