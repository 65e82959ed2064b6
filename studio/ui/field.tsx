/**
 * @module A labelled control, or a group of them, with its hint and its error.
 */
import type { ReactNode } from 'react';

interface FieldProps {
  /** `id` of the control; of a group, that of its label. */
  readonly id: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** For what is no single control of HTML. */
  readonly isGroup?: boolean;
  /** Beside the label of a group. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

/** The control names `${id}-hint` and `${id}-error` in `aria-describedby`: see `describedBy`. */
export function Field({ id, label, isRequired = false, hint, error, isGroup = false, aside, children }: FieldProps) {
  const name = (
    <>
      {label}
      {isRequired && (
        <span className="required" title="required">
          {' '}
          *
        </span>
      )}
    </>
  );
  const group = { role: 'group', 'aria-labelledby': id, 'aria-describedby': `${id}-error ${id}-hint` };
  return (
    <div className={`stack field ${error ? 'invalid' : ''}`} {...(isGroup && group)}>
      {isGroup ? (
        <div className="row">
          <span className="label" id={id}>
            {name}
          </span>
          {aside}
        </div>
      ) : (
        <label htmlFor={id}>{name}</label>
      )}
      {children}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Attributes of a control in a `Field`. */
export const describedBy = (id: string, error?: string) => ({
  id,
  'aria-describedby': error ? `${id}-error ${id}-hint` : `${id}-hint`,
  'aria-invalid': error !== undefined,
});
