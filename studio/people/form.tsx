/**
 * @module Forms about users: fields with their labels, one button, and the reason of a failure.
 */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { describedBy, Field } from '../ui/inputs.tsx';
import { resetSent } from '../ui/sent-form.ts';
import { type Role, useRoles } from './person.ts';

interface TextFieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly hint?: string;
}

export function TextField({ label, hint, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} isRequired={rest.required === true}>
      <input {...describedBy(id)} autoComplete="off" {...rest} />
    </Field>
  );
}

/** A password that is chosen. */
export const NewPassword = (props: TextFieldProps) => (
  <TextField type="password" autoComplete="new-password" minLength={6} {...props} />
);

export const CurrentPassword = () => (
  <TextField
    name="currentPassword"
    type="password"
    autoComplete="current-password"
    label={text('Current password')}
    required
  />
);

export const Username = (props: Partial<TextFieldProps>) => (
  <TextField name="username" label={text('User name')} minLength={3} required {...props} />
);

export const Email = (props: Partial<TextFieldProps>) => (
  <TextField name="email" type="email" label={text('E-mail address')} required {...props} />
);

interface RoleFieldProps {
  /** The settings may have lost it. */
  readonly value?: Pick<Role, 'id' | 'name'> | null | undefined;
  /** The name of the choice of no role. */
  readonly none?: string | undefined;
  readonly disabled?: boolean;
}

export function RoleField({ value, none, disabled }: RoleFieldProps) {
  const id = useId();
  const known = useRoles();
  const roles = !value || known.some((role) => role.id === value.id) ? known : [value, ...known];
  return (
    <Field id={id} label={text('Role')}>
      <select
        id={id}
        name="role"
        key={`${roles.length} ${value?.id}`}
        defaultValue={value?.id ?? ''}
        disabled={disabled}
      >
        {none && <option value="">{none}</option>}
        {roles.map((role) => (
          <option key={role.id} value={role.id}>
            {role.name}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Returns the fields that have a value; the role as its number. */
export function bodyOf(form: FormData): Readonly<Record<string, unknown>> {
  const fields = [...form].filter(([, value]) => value !== '');
  return Object.fromEntries(fields.map(([name, value]) => [name, name === 'role' ? Number(value) : value]));
}

/** Returns the fields that have other values than these: what was not changed here is not written. */
export const changedBy = (form: FormData, shown: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(bodyOf(form)).filter(([name, value]) => value !== shown[name]));

interface ActionFormProps {
  readonly label: string;
  /** Its error is shown. */
  readonly action: (form: FormData) => Promise<unknown>;
  readonly onInput?: (event: FormEvent) => void;
  readonly children: ReactNode;
}

export function ActionForm({ label, action, onInput, children }: ActionFormProps) {
  // What was typed is not kept.
  const { error, isPending, mutate } = useMutation({ mutationFn: action, gcTime: 0 });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const sent = new FormData(form);
    mutate(sent, { onSuccess: () => resetSent(form, sent) });
  };
  return (
    <form onInput={onInput} onSubmit={submit} className="stack">
      {children}
      {error && (
        <p className="danger small" role="alert">
          {error.message}
        </p>
      )}
      <div className="row">
        <Button label={label} look="primary" type="submit" disabled={isPending} />
      </div>
    </form>
  );
}
