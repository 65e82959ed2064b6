/**
 * @module The locales of a document: which there are, and another one beside the form.
 */
import { useQuery } from '@tanstack/react-query';
import type { Attribute } from '../model/attribute.ts';
import { type Document, editedStatus, type Values } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/inputs.tsx';
import { textOf } from './text-of.ts';
import { keyOf, type Place, readVersion } from './version.ts';

/** Returns the codes of the locales that the document is in. */
export function localesOf(document: Document): readonly string[] {
  const others = Array.isArray(document?.localizations) ? (document.localizations as readonly Values[]) : [];
  return [document, ...others].map(({ locale }) => String(locale));
}

interface LocaleSelectProps {
  readonly label: string;
  readonly value: string;
  readonly codes: readonly string[];
  /** Locales that there are of the document; the others can be added. */
  readonly existing: readonly string[];
  /** Shown in front of the locales, as the value ''. */
  readonly none?: string;
  readonly onChange: (locale: string) => void;
}

export function LocaleSelect({ codes, existing, ...rest }: LocaleSelectProps) {
  const names = new Map(useModel().locales.map(({ code, name }) => [code, name]));
  const isThere = (code: string) => existing.length === 0 || existing.includes(code);
  const nameOf = (code: string) => `${names.get(code) ?? code}${isThere(code) ? '' : ' (new)'}`;
  return <Select {...rest} options={Object.fromEntries(codes.map((code) => [code, nameOf(code)]))} />;
}

/** Reads the document in another locale; undefined while it is read, or for no locale. */
export function useOtherLocale(place: Place, locale: string) {
  const model = useModel();
  const other = { ...place, locale };
  const status = editedStatus(place.type);
  return useQuery({
    queryKey: keyOf(other, status),
    queryFn: () => readVersion(model, other, status),
    enabled: locale !== '',
  }).data;
}

interface BesideProps {
  readonly attribute: Attribute;
  readonly value: unknown;
  readonly locale: string;
  readonly onCopy: () => void;
}

/** The value of one attribute in another locale. */
export function Beside({ attribute, value, locale, onCopy }: BesideProps) {
  const model = useModel();
  const text = textOf(model, attribute, value);
  return (
    <div className="beside" lang={locale}>
      <pre>{text || '(nothing)'}</pre>
      {text !== '' && (
        <Button look="quiet" onClick={onCopy}>
          Copy from {locale}
        </Button>
      )}
    </div>
  );
}
