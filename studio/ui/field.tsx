/**
 * @module A labelled control with its hint and its error.
 */
import type { ReactNode } from 'react';

interface FieldProps {
  /** `id` of the control. */
  readonly id: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** The control names `${id}-hint` and `${id}-error` in `aria-describedby`: see `describedBy`. */
export function Field({ id, label, isRequired = false, hint, error, children }: FieldProps) {
  return (
    <div className={`field ${error ? 'invalid' : ''}`}>
      <label htmlFor={id}>
        {label}
        {isRequired && (
          <span className="required" title="required">
            {' '}
            *
          </span>
        )}
      </label>
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
