/**
 * @module The value of one attribute in another locale, beside its input.
 */
import { useFormContext } from 'react-hook-form';
import type { Attribute } from '../model/attribute.ts';
import type { Document } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { copiedValue, fromDocument } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { textOf } from './text-of.ts';

interface BesideProps {
  readonly name: string;
  readonly attribute: Attribute;
  /** The document in the other locale. */
  readonly document: Document;
}

export function Beside({ name, attribute, document }: BesideProps) {
  const model = useModel();
  const { setValue } = useFormContext();
  const locale = document.locale ?? undefined;
  const text = textOf(model, attribute, document[name]);
  const copy = () => {
    const field = fieldName(name);
    const value = fromDocument(model, { [name]: attribute }, document)[field];
    setValue(field, copiedValue(model, attribute, value));
  };
  return (
    <div className="beside" lang={locale}>
      <pre>{text || '(nothing)'}</pre>
      {text !== '' && (
        <Button look="quiet" onClick={copy}>
          Copy from {locale}
        </Button>
      )}
    </div>
  );
}
