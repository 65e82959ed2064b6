/**
 * @module The input of a password or a private attribute: closed where a stored value is not shown, until one replaces it.
 */
import { type ReactElement, useEffect, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { isPassword } from '../../model/attribute.ts';
import { readsPrivate } from '../../model/readable.ts';
import { useModel } from '../../shell/model.ts';
import { text } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/inputs.tsx';
import { emptyValues } from './form-values.ts';
import { fieldName, type InputProps } from './owner.ts';
import { useField } from './use-input.ts';

interface HiddenInputProps extends InputProps {
  readonly input: (props: InputProps) => ReactElement;
}

/** An undefined value is not sent. */
export function HiddenInput({ input: Input, ...props }: HiddenInputProps) {
  const { name, path, attribute, owner } = props;
  const model = useModel();
  const { getValues, setValue, clearErrors } = useFormContext();
  const isClosed = useWatch({ name: path }) === undefined;
  const field = useField(props);
  const body = useRef<HTMLDivElement>(null);
  const isClicked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies(isClosed): the input is there after it has opened
  useEffect(() => {
    if (isClicked.current) body.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    isClicked.current = false;
  }, [isClosed]);
  const set = (value: unknown) => {
    isClicked.current = true;
    setValue(path, value);
    clearErrors(path);
  };
  const isSecret = isPassword(attribute);
  const isInStoredEntry = !path.includes('.') || getValues(path.replace(/\.[^.]*$/, ''))?.id !== undefined;
  const hasHiddenValue = owner.isStored && isInStoredEntry && (isSecret || !readsPrivate(model, owner.type));
  const replace = () => set(emptyValues(model, { [name]: { ...attribute, default: undefined } })[fieldName(name)]);
  const opening = text(isSecret ? 'Set a new password' : 'Replace');
  const closing = text('Keep what is stored');
  return (
    <div ref={body} className="stack">
      {isClosed ? (
        <Field {...field} isGroup>
          <div className="row">
            <span className="muted">{text('It is not shown here, and stays as it is.')}</span>
            <Button label={opening} aria-label={`${opening}: ${field.label}`} onClick={replace} />
          </div>
        </Field>
      ) : (
        <Input {...props} />
      )}
      {!isClosed && hasHiddenValue && (
        <div className="row">
          <Button
            label={closing}
            aria-label={`${closing}: ${field.label}`}
            look="quiet"
            onClick={() => set(undefined)}
          />
        </div>
      )}
    </div>
  );
}
