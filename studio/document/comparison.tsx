/**
 * @module Versions side by side: another locale beside the form, the draft and the published one with their difference,
 * and what somebody else saved while one was writing.
 */
import { diffLines, diffWordsWithSpace } from 'diff';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { type Attribute, labelOf } from '../model/attribute.ts';
import type { ContentType, Document, Values } from '../model/model.ts';
import { shownAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import { Empty } from '../ui/states.tsx';
import type { Clash } from './editing.ts';
import { copiedValue, fromDocument } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { displayText } from './text-of.ts';

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
  const locale = document.locale ?? undefined;
  const text = displayText(model, attribute, document[name]);
  const copy = () => {
    const field = fieldName(name);
    const value = fromDocument(model, { [name]: attribute }, document)[field];
    setValue(field, copiedValue(model, attribute, value));
  };
  return (
    <div className="indented muted beside" lang={locale}>
      <pre>{text || '(nothing)'}</pre>
      {text !== '' && <Button label={`Copy from ${locale}`} look="quiet" onClick={copy} />}
    </div>
  );
}

/** Longer texts are compared by lines. */
const MOST_CHARACTERS = 20_000;

function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const isLong = before.length + after.length > MOST_CHARACTERS;
  const parts = isLong ? diffLines(before, after) : diffWordsWithSpace(before, after);
  return (
    <pre className="difference">
      {parts.map(({ added, removed, value }, index) => {
        if (added)
          return (
            <ins key={index} className="good">
              {value}
            </ins>
          );
        return removed ? (
          <del key={index} className="bad">
            {value}
          </del>
        ) : (
          value
        );
      })}
    </pre>
  );
}

interface ComparisonProps {
  readonly type: ContentType;
  readonly draft: Document;
  readonly published: Document;
}

export function VersionComparison({ type, draft, published }: ComparisonProps) {
  const model = useModel();
  const rows = shownAttributes(type)
    .map(([name, attribute]) => {
      const [before, after] = [published, draft].map((version) => displayText(model, attribute, version[name]));
      return { name, before: before ?? '', after: after ?? '' };
    })
    .filter(({ before, after }) => before !== after);
  if (rows.length === 0) return <Empty title="The draft and the published version are the same." />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="card table-frame" tabIndex={0} aria-label="Comparison">
      <table className="comparison">
        <thead>
          <tr>
            <th>Attribute</th>
            <th>Published</th>
            <th>Draft</th>
            <th>Difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{labelOf(name)}</th>
              <td>
                <pre>{before}</pre>
              </td>
              <td>
                <pre>{after}</pre>
              </td>
              <td>
                <Difference before={before} after={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ConflictProps {
  readonly clashes: readonly Clash[];
  /** Called with the values to go on with. */
  readonly onChoose: (values: Values) => void;
  readonly onClose: () => void;
}

export function Conflict({ clashes, onChoose, onClose }: ConflictProps) {
  const model = useModel();
  const [chosen, setChosen] = useState<Values>(
    Object.fromEntries(clashes.map(({ name, mine, theirs, isMine }) => [name, isMine ? mine : theirs])),
  );
  const option = ({ name, attribute }: Clash, label: string, value: unknown) => (
    <label className="row nowrap grow">
      <input
        type="radio"
        name={`clash-${name}`}
        checked={chosen[name] === value}
        onChange={() => setChosen({ ...chosen, [name]: value })}
      />
      <span>
        {label}
        <pre>{displayText(model, attribute.type === 'json' ? { type: 'text' } : attribute, value) || '(nothing)'}</pre>
      </span>
    </label>
  );
  const action = { label: 'Go on with these', onClick: () => onChoose(chosen) };
  return (
    <Dialog title="Saved by someone else meanwhile" isWide cancel="Not now" action={action} onClose={onClose}>
      <p>Nothing is lost: choose what to keep, then save again.</p>
      {clashes.map((clash) => (
        <fieldset key={clash.name} className="card row">
          <legend>{labelOf(clash.name)}</legend>
          {option(clash, clash.isMine ? 'Yours' : 'As you opened it', clash.mine)}
          {option(clash, 'Saved meanwhile', clash.theirs)}
        </fieldset>
      ))}
    </Dialog>
  );
}
