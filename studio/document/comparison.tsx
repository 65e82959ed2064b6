/**
 * @module Values side by side: those of another locale beside the form, and what another person saved while one was writing.
 */
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { type Attribute, isNeverShown, labelOf } from '../model/attribute.ts';
import type { Document, Values } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import { timeText } from '../ui/texts.ts';
import type { Clash } from './editing.ts';
import { copiedValue, fromDocument } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { makerText, operationText, type Revision } from './revisions.ts';
import { displayText } from './text-of.ts';
import type { ReadVersion } from './version.ts';

interface BesideProps {
  readonly name: string;
  readonly attribute: Attribute;
  /** The document in the other locale. */
  readonly document: Document;
}

/** The value of one attribute in another locale, beside its input. */
export function Beside({ name, attribute, document }: BesideProps) {
  const model = useModel();
  const { setValue } = useFormContext();
  if (isNeverShown(attribute) && !Object.hasOwn(document, name)) return null;
  const locale = document.locale ?? undefined;
  const shown = displayText(model, attribute, document[name]);
  const copy = () => {
    const field = fieldName(name);
    const value = fromDocument(model, { [name]: attribute }, document)[field];
    setValue(field, copiedValue(model, attribute, value));
  };
  return (
    <div className="indented muted beside" lang={locale}>
      <pre>{shown || text('(nothing)')}</pre>
      {shown !== '' && (
        <Button label={text('Copy from {locale}', { locale: String(locale) })} look="quiet" onClick={copy} />
      )}
    </div>
  );
}

interface ConflictProps {
  readonly clashes: readonly Clash[];
  /** What was saved. */
  readonly version: ReadVersion;
  /** The last change, where the caller may see it. */
  readonly last: Revision | undefined;
  /** Called with the values to go on with. */
  readonly onChoose: (values: Values) => void;
  readonly onClose: () => void;
}

export function Conflict({ clashes, version, last, onChoose, onClose }: ConflictProps) {
  const model = useModel();
  const [chosen, setChosen] = useState<Values>(
    Object.fromEntries(clashes.map(({ name, mine, theirs, isMine }) => [name, isMine ? mine : theirs])),
  );
  const option = ({ name, attribute }: Clash, label: string, value: unknown) => (
    <label className="row nowrap top grow">
      <input
        type="radio"
        name={`clash-${name}`}
        checked={chosen[name] === value}
        onChange={() => setChosen({ ...chosen, [name]: value })}
      />
      <span className="grow">
        <strong>{label}</strong>
        <pre>{(typeof value === 'string' ? value : displayText(model, attribute, value)) || text('(nothing)')}</pre>
      </span>
    </label>
  );
  const action = { label: text('Go on with these'), onClick: () => onChoose(chosen) };
  return (
    <Dialog
      title={text('Saved by someone else meanwhile')}
      isWide
      cancel={text('Not now')}
      action={action}
      onClose={onClose}
    >
      {last ? (
        <p>
          {operationText(last)} {timeText(last.at)} · <bdi>{makerText(last)}</bdi>
        </p>
      ) : (
        <p>
          {text('Changed')} {timeText(version.document.updatedAt)}
        </p>
      )}
      <p>{text('Nothing is lost: choose what to keep, then save again.')}</p>
      {clashes.map((clash) => (
        <fieldset key={clash.name} className="card row">
          <legend>{labelOf(clash.name)}</legend>
          {option(clash, text(clash.isMine ? 'Yours' : 'As you opened it'), clash.mine)}
          {option(clash, text('Saved meanwhile'), clash.theirs)}
        </fieldset>
      ))}
    </Dialog>
  );
}
