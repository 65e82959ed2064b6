/**
 * @module One user: name, address, role, password, sessions, block, and end.
 */
import { useState } from 'react';
import { request, useRead } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { useModel } from '../shell/model.ts';
import { useUnsaved } from '../shell/unsaved.tsx';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { type Fields, useChangedFields } from '../ui/changed-fields.ts';
import { useWhileHere } from '../ui/late.ts';
import { Confirm, Dialog } from '../ui/popups.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { notifyError } from '../ui/toasts.tsx';
import { ActionForm, Email, NewPassword, RoleField, Username } from './form.tsx';
import { type Person, ROLES, USERS, useChange } from './person.ts';
import { Sessions } from './sessions.tsx';

const ONE = `${USERS}/{id}`;
const FORGOT = '/api/auth/forgot-password';

interface PersonProps {
  readonly person: Person;
  readonly onClose: () => void;
}

function Actions({ person: { id, email, username, blocked }, onClose }: PersonProps) {
  const model = useModel();
  const change = useChange();
  const [isAsked, setAsked] = useState(false);
  const send = async (done: string, method: string, path: string, body?: object) => {
    try {
      await change(done, request(path, { method, ...(body && { body }) }));
      if (method === 'DELETE') onClose();
    } catch (error) {
      notifyError(text('Nothing was changed'), error);
    }
  };
  const path = `${USERS}/${id}`;
  const block = () => send(blocked ? text('Unblocked') : text('Blocked'), 'PUT', path, { blocked: !blocked });
  return (
    <div className="row">
      {model.may('post', FORGOT) && !blocked && (
        <Button
          label={text('Send a link to choose a password')}
          onClick={() => send(text('A message is on its way'), 'POST', FORGOT, { email })}
        />
      )}
      {model.may('put', ONE) && <Button label={blocked ? text('Unblock') : text('Block')} onClick={block} />}
      {model.may('delete', ONE) && (
        <Button label={text('Delete')} icon="trash" look="danger" onClick={() => setAsked(true)} />
      )}
      {isAsked && (
        <Confirm
          title={text('Delete {name}?', { name: username })}
          text={text('All sign-ins of {email} end at once. What this user wrote stays.', { email })}
          action={text('Delete')}
          isDangerous
          onConfirm={() => send(text('Deleted'), 'DELETE', path)}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}

/** Returns the query that reads a user through the list, for which the screen has the right anyway. */
const queryOf = (id: number | string) => ({ filters: { id }, populate: 'role' });

const fieldsOf = ({ username, email, role }: Person): Fields => ({
  username,
  email,
  role: String(role?.id ?? ''),
  password: '',
});

function Details({ person, onClose }: PersonProps) {
  const model = useModel();
  const change = useChange();
  const { id, username, email, role } = person;
  const disabled = !model.may('put', ONE);
  const fields = useChangedFields(fieldsOf(person));
  const unsaved = useUnsaved(fields.isChanged);
  const leave = () => {
    unsaved.end();
    onClose();
  };
  const save = async (form: FormData) => {
    const changed = fields.changed(form);
    const isSamePerson = personCheck();
    const [now = person] = (await request<readonly Person[]>(USERS, { query: queryOf(id) })).body;
    if (fields.isOther(changed, fieldsOf(now))) throw new Error(text('It was changed meanwhile. Read it again.'));
    if (!isSamePerson()) return;
    const body = { ...changed, ...(changed.role && { role: Number(changed.role) }) };
    await change(text('Saved'), request(`${USERS}/${id}`, { method: 'PUT', body }));
    fields.saved(changed);
  };
  const inputs = (
    <>
      <Username defaultValue={username} disabled={disabled} />
      <Email defaultValue={email} disabled={disabled} />
      {model.may('get', ROLES) && (
        <RoleField value={role} none={role ? undefined : text('No role')} disabled={disabled} />
      )}
    </>
  );
  return (
    <div className="columns">
      {disabled ? (
        <div className="stack">{inputs}</div>
      ) : (
        <ActionForm label={text('Save')} action={save} onInput={fields.onInput}>
          {inputs}
          <NewPassword name="password" label={text('New password')} hint={text('It ends all sign-ins.')} />
        </ActionForm>
      )}
      <div className="stack">
        <Actions person={person} onClose={leave} />
        {model.may('get', `${ONE}/sessions`) && (
          <Sessions path={`${USERS}/${id}/sessions`} mayEnd={model.may('delete', `${ONE}/sessions/{session}`)} />
        )}
      </div>
      {unsaved.question}
    </div>
  );
}

export function PersonPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const found = useRead<readonly Person[]>(USERS, queryOf(id));
  // The details of a deleted user go before the dialog does.
  const close = useWhileHere(onClose);
  return (
    <Dialog title={found.data?.[0]?.username ?? text('User')} isWide onClose={onClose}>
      <Result of={found}>
        {([person]) =>
          person ? (
            <Details person={person} onClose={close} />
          ) : (
            <Empty title={text('This user was deleted')}>
              <Button label={text('To the list')} onClick={close} />
            </Empty>
          )
        }
      </Result>
    </Dialog>
  );
}
