/**
 * @module Two versions side by side: the draft and the published one with their difference, and what somebody else saved while one
 * was writing.
 */
import { diffLines, diffWordsWithSpace } from 'diff';
import { useState } from 'react';
import { type Attribute, labelOf } from '../model/attribute.ts';
import type { ContentType, Document, Values } from '../model/model.ts';
import { shownAttributes } from '../model/read-model.ts';
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import { Empty } from '../ui/states.tsx';
import { textOf } from './text-of.ts';

/** Longer texts are compared by lines. */
const MOST_CHARACTERS = 20_000;

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
}

function Difference({ before, after }: DifferenceProps) {
  const isLong = before.length + after.length > MOST_CHARACTERS;
  const parts = isLong ? diffLines(before, after) : diffWordsWithSpace(before, after);
  return (
    <pre className="difference">
      {parts.map(({ added, removed, value }, index) => {
        const Tag = added ? 'ins' : removed ? 'del' : 'span';
        return <Tag key={index}>{value}</Tag>;
      })}
    </pre>
  );
}

interface ComparisonProps {
  readonly type: ContentType;
  readonly draft: Document;
  readonly published: Document;
}

export function Comparison({ type, draft, published }: ComparisonProps) {
  const model = useModel();
  const rows = shownAttributes(type)
    .map(([name, attribute]) => {
      const [before, after] = [published, draft].map((version) => textOf(model, attribute, version[name]));
      return { name, before: before ?? '', after: after ?? '' };
    })
    .filter(({ before, after }) => before !== after);
  if (rows.length === 0) return <Empty title="The draft and the published version are the same." />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="table-frame" tabIndex={0} aria-label="Comparison">
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

/** An attribute that the other side changed. Values are those of the form. */
export interface Clash {
  readonly name: string;
  readonly attribute: Attribute;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Whether it was changed here as well. */
  readonly isMine: boolean;
}

interface ConflictProps {
  readonly clashes: readonly Clash[];
  /** Called with the values to go on with. */
  readonly onChoose: (values: Values) => void;
  readonly onClose: () => void;
}

export function Conflict({ clashes, onChoose, onClose }: ConflictProps) {
  const model = useModel();
  const [mine, setMine] = useState(new Set(clashes.filter(({ isMine }) => isMine).map(({ name }) => name)));
  const choose = (name: string, isMine: boolean) => {
    const next = new Set(mine);
    if (isMine) next.add(name);
    else next.delete(name);
    setMine(next);
  };
  const option = ({ name, attribute, isMine: isChanged }: Clash, value: unknown, isMine: boolean) => (
    <label className="choice">
      <input
        type="radio"
        name={`clash-${name}`}
        checked={mine.has(name) === isMine}
        onChange={() => choose(name, isMine)}
      />
      <span>
        {isMine ? (isChanged ? 'Yours' : 'As you opened it') : 'Saved meanwhile'}
        <pre>{textOf(model, attribute.type === 'json' ? { type: 'text' } : attribute, value) || '(nothing)'}</pre>
      </span>
    </label>
  );
  const finish = () =>
    onChoose(
      Object.fromEntries(clashes.map((clash) => [clash.name, mine.has(clash.name) ? clash.mine : clash.theirs])),
    );
  return (
    <Dialog title="Saved by someone else meanwhile" isWide onClose={onClose}>
      <div className="dialog-body stack">
        <p>Nothing is lost: choose what to keep, then save again.</p>
        {clashes.map((clash) => (
          <fieldset key={clash.name} className="clash">
            <legend>{labelOf(clash.name)}</legend>
            {option(clash, clash.mine, true)}
            {option(clash, clash.theirs, false)}
          </fieldset>
        ))}
      </div>
      <footer className="row dialog-footer">
        <Button onClick={onClose}>Not now</Button>
        <Button look="primary" onClick={finish}>
          Go on with these
        </Button>
      </footer>
    </Dialog>
  );
}
