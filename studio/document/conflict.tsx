/**
 * @module What somebody else saved while one was writing: for each attribute one chooses a value.
 */
import { useState } from 'react';
import { type Attribute, labelOf } from '../model/attribute.ts';
import type { Values } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { textOf } from './text-of.ts';

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
