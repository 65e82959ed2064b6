/**
 * @module Two versions side by side, with what differs between them.
 */
import { type ReactNode, useMemo } from 'react';
import { labelOf } from '../model/attribute.ts';
import type { ContentType, Document } from '../model/model.ts';
import { readAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Empty } from '../ui/states.tsx';
import { addStyles } from '../ui/styles.ts';
import { type Difference, differencesOf, type EntryDifference, piecesOf } from './differences.ts';
import styles from './history.css' with { type: 'text' };

addStyles(styles);

/** Names of the two versions. */
type Names = readonly [before: string, after: string];

/** Words that differ are one piece with the spaces between them. */
function joined(
  pieces: ReturnType<typeof piecesOf>,
): readonly { readonly value: string; readonly isMarked: boolean }[] {
  const found: { value: string; isMarked: boolean }[] = [];
  pieces.forEach(({ added, removed, value }, index) => {
    const [last, next] = [found.at(-1), pieces[index + 1]];
    const isBetween = value.trim() === '' && last?.isMarked === true && (next?.added || next?.removed) === true;
    const isMarked = added || removed || isBetween;
    if (last?.isMarked === isMarked) last.value += value;
    else found.push({ value, isMarked });
  });
  return found;
}

function Texts({ difference, names }: { readonly difference: Difference; readonly names: Names }) {
  const pieces = useMemo(() => piecesOf(difference), [difference]);
  const side = (name: string, content: string, mark: 'del' | 'ins') => {
    const Mark = mark;
    const isOther = mark === 'del' ? 'added' : 'removed';
    return (
      <div>
        <div className="muted small">{name}</div>
        <pre className="difference">
          {content === '' && <span className="muted">{text('(nothing)')}</span>}
          {joined(pieces.filter((piece) => !piece[isOther])).map(({ value, isMarked }, index) =>
            isMarked ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no identity
              <Mark key={index} className={mark === 'del' ? 'bad' : 'good'}>
                {value}
              </Mark>
            ) : (
              value
            ),
          )}
        </pre>
      </div>
    );
  };
  return (
    <>
      <div className="versions">
        {side(names[0], difference.before, 'del')}
        {side(names[1], difference.after, 'ins')}
      </div>
      {difference.before === difference.after && (
        <p className="muted small">{text('The text is the same, its format is not.')}</p>
      )}
    </>
  );
}

const LOOKS = { added: 'good', removed: 'bad', moved: 'accent', changed: 'warn' } as const;

const WORDS = { added: 'Added', removed: 'Removed', moved: 'Moved from {from} to {to}', changed: 'Changed' } as const;

function EntryLine({ entry, names }: { readonly entry: EntryDifference; readonly names: Names }) {
  const { title, changes, from = 0, to = 0, text: content, inside } = entry;
  return (
    <li className="stack indented">
      <div className="row">
        {changes.map((change) => (
          <span key={change} className={`badge ${LOOKS[change]}`}>
            {text(WORDS[change], { from, to })}
          </span>
        ))}
        <strong>{title}</strong> {changes.includes('moved') || <span className="muted">{to || from}</span>}
      </div>
      {content !== '' && <pre>{content}</pre>}
      {inside.map((difference) => (
        <div key={difference.name}>
          <div className="label">{labelOf(difference.name)}</div>
          <Change difference={difference} names={names} />
        </div>
      ))}
    </li>
  );
}

function Change({ difference, names }: { readonly difference: Difference; readonly names: Names }) {
  if (!difference.entries) return <Texts difference={difference} names={names} />;
  return (
    <ul className="plain">
      {difference.entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity, and no state here
        <EntryLine key={index} entry={entry} names={names} />
      ))}
    </ul>
  );
}

interface DifferencesProps {
  readonly differences: readonly Difference[];
  readonly names: Names;
  /** Beside the name of an attribute. */
  readonly action?: (name: string) => ReactNode;
}

/** The attributes that differ, one below the other. */
export const Differences = ({ differences, names, action }: DifferencesProps) =>
  differences.map((difference) => (
    <section key={difference.name} className="card padded stack">
      <div className="row between">
        <h2>{labelOf(difference.name)}</h2>
        {action?.(difference.name)}
      </div>
      <Change difference={difference} names={names} />
    </section>
  ));

interface ComparisonProps {
  readonly type: ContentType;
  readonly draft: Document;
  readonly published: Document;
}

export function VersionComparison({ type, draft, published }: ComparisonProps) {
  const model = useModel();
  const differences = useMemo(
    () => differencesOf(model, readAttributes(type), published, draft),
    [model, type, published, draft],
  );
  if (differences.length === 0) return <Empty title={text('The draft and the published version are the same.')} />;
  return (
    <section className="stack" aria-label={text('Comparison')}>
      <Differences differences={differences} names={[text('Published'), text('Draft')]} />
    </section>
  );
}
