/**
 * @module The label, hint and error around a control, and its place in the form.
 */
import { type ReactNode, useId } from 'react';
import { type FieldError, get, type RefCallBack, useController, useFormState } from 'react-hook-form';
import { labelOf } from '../../model/attribute.ts';
import { describedBy, Field } from '../../ui/field.tsx';
import { hintOf } from './hint.ts';
import type { InputProps } from './owner.ts';

export interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly hint: string;
  readonly error: string | undefined;
}

/** @param more words of the hint */
export function useFrame(props: InputProps, more?: readonly string[]): FrameProps {
  const id = useId();
  const { errors } = useFormState({ name: props.path });
  const error: FieldError | undefined = get(errors, props.path);
  const message = error?.root?.message ?? error?.message;
  return {
    id,
    label: labelOf(props.name),
    isRequired: props.attribute.required === true,
    hint: hintOf(props, more),
    error: typeof message === 'string' ? message : undefined,
  };
}

interface Input {
  readonly value: unknown;
  readonly setValue: (value: unknown) => void;
  readonly frame: FrameProps;
  /** Attributes of the control. */
  readonly control: ReturnType<typeof describedBy> & { readonly ref: RefCallBack; readonly onBlur: () => void };
}

export function useInput(props: InputProps, more?: readonly string[]): Input {
  const { field } = useController({ name: props.path });
  const frame = useFrame(props, more);
  return {
    value: field.value,
    setValue: field.onChange,
    frame,
    control: { ...describedBy(frame.id, frame.error), ref: field.ref, onBlur: field.onBlur },
  };
}

interface GroupProps {
  readonly frame: FrameProps;
  /** Beside the label. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export const Control = ({ frame, children }: GroupProps) => <Field {...frame}>{children}</Field>;

/** The frame of what is no single control. */
export function Group({ frame: { id, label, isRequired, hint, error }, aside, children }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need its legend first, and cannot be laid out
    <div
      role="group"
      className={`field ${error ? 'invalid' : ''}`}
      aria-labelledby={id}
      aria-describedby={`${id}-error ${id}-hint`}
    >
      <div className="row">
        <span className="label" id={id}>
          {label}
          {isRequired && <span className="required"> *</span>}
        </span>
        {aside}
      </div>
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
