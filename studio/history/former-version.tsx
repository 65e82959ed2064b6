/**
 * @module A former version beside the draft: what differs, what is gone, and the way back to it.
 */
import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import type { Place } from '../document/place.ts';
import { type FormerVersion as Former, makerText, operationText } from '../document/revisions.ts';
import { displayText } from '../document/text-of.ts';
import { labelOf } from '../model/attribute.ts';
import type { Document } from '../model/model.ts';
import { type NamedAttribute, shownAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/popups.tsx';
import { Notice } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';
import { Differences } from './comparison.tsx';
import { differencesOf } from './differences.ts';

export interface FormerVersionProps {
  readonly place: Place;
  readonly version: Former;
  /** The version that is edited; null where it is deleted. */
  readonly current: Document | null;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** Absent where the caller may not restore. */
  readonly onRestore?: ((revision: string) => void) | undefined;
  /** Takes the value of one attribute into the form. */
  readonly onTake?: ((name: string, former: Document) => void) | undefined;
  /** Is there something in the form that is not saved? */
  readonly isUnsaved?: boolean;
}

/** The other sides of relations have no history. */
const isKept = ([, { relation = '', mappedBy }]: NamedAttribute): boolean =>
  mappedBy === undefined && !/^morph(One|Many)$/.test(relation);

/** `sections.0.author` → `Sections 1 author` */
const pathText = (path: string): string =>
  labelOf(path.replaceAll(/\.(\d+)/g, (_, index) => ` ${Number(index) + 1}`).replaceAll('.', ' '));

function Values({
  attributes,
  document,
}: {
  readonly attributes: readonly NamedAttribute[];
  readonly document: Document;
}) {
  const model = useModel();
  return attributes
    .map(([name, attribute]) => [name, displayText(model, attribute, document[name])] as const)
    .filter(([, shown]) => shown !== '')
    .map(([name, shown]) => (
      <section key={name} className="card padded stack">
        <h3>{labelOf(name)}</h3>
        <pre>{shown}</pre>
      </section>
    ));
}

/** What a restoration does. */
function consequences(
  { place, version, current, isUnsaved }: FormerVersionProps,
  changed: readonly string[],
): ReactNode {
  const { type } = place;
  const { at } = version.entry;
  const time = timeText(at);
  const [becomes, comesBack] = type.hasDrafts
    ? (['The draft becomes what it was on {time}.', 'The draft comes back as it was on {time}.'] as const)
    : (['The document becomes what it was on {time}.', 'The document comes back as it was on {time}.'] as const);
  const lines = [
    text(current ? becomes : comesBack, { time }),
    text(type.hasDrafts ? 'Readers see it once it is published.' : 'Readers see it at once.'),
    changed.length > 0 && text('It changes: {names}.', { names: changed.map(labelOf).join(', ') }),
    text('Attributes that are not shown here are restored, too, if you may write them. Passwords stay.'),
    version.missing.length > 0 && text('Links to what is gone are left out.'),
    isUnsaved && text('What is not saved stays in the form.'),
  ];
  return lines.filter(Boolean).map((line) => <p key={String(line)}>{line}</p>);
}

export function FormerVersion(props: FormerVersionProps) {
  const { place, version, current, heading, onRestore, onTake } = props;
  const { document, entry, missing } = version;
  const model = useModel();
  const [isAsked, setAsked] = useState(false);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const attributes = useMemo(() => shownAttributes(place.type).filter(isKept), [place.type]);
  const differences = useMemo(
    () => (current ? differencesOf(model, attributes, document, current) : []),
    [model, attributes, document, current],
  );
  const { hasDrafts } = place.type;
  const same = hasDrafts ? 'This version and the draft are the same.' : 'This version and the document are the same.';
  const differing = hasDrafts
    ? 'It differs from the draft in {count} attribute. | It differs from the draft in {count} attributes.'
    : 'It differs from the document in {count} attribute. | It differs from the document in {count} attributes.';
  const take = (name: string) => {
    if (!onTake || !place.type.updatable.has(name)) return null;
    const label = text(taken.has(name) ? 'In the form' : 'Use this value');
    const onClick = () => {
      onTake(name, document);
      setTaken(new Set([...taken, name]));
    };
    return <Button label={label} look="quiet" aria-label={`${label}: ${labelOf(name)}`} onClick={onClick} />;
  };
  return (
    <section className="stack" aria-labelledby="former-version">
      <div className="row nowrap between">
        <h2 id="former-version" ref={heading} tabIndex={-1}>
          {operationText(entry)} {timeText(entry.at)} · <bdi>{makerText(entry)}</bdi>
        </h2>
        {onRestore && <Button label={text('Restore')} onClick={() => setAsked(true)} />}
      </div>
      {missing.length > 0 && (
        <Notice>
          {text('Gone since then: {names}', {
            names: missing.map(({ path, documentId }) => `${pathText(path)} (${documentId})`).join(', '),
          })}
        </Notice>
      )}
      {current ? (
        <>
          <p className="muted">
            {differences.length === 0 ? text(same) : text(differing, { count: differences.length })}
          </p>
          <Differences differences={differences} names={[text('Then'), text('Now')]} action={take} />
        </>
      ) : (
        <Values attributes={attributes} document={document} />
      )}
      {isAsked && onRestore && (
        <Confirm
          title={text('Restore this version?')}
          action={text('Restore')}
          text={consequences(
            props,
            differences.map(({ name }) => name),
          )}
          onConfirm={() => onRestore(entry.revision)}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}
