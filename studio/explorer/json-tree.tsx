/**
 * @module JSON that folds. What is folded is not rendered, so large responses stay usable.
 */
import { useState } from 'react';
import { Button } from '../ui/button.tsx';

const CHUNK = 100;
const LONGEST = 2000;
/** So many levels are open at first, and so many entries of each. */
const OPEN_DEPTH = 3;
const OPEN_ENTRIES = 10;

function Scalar({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const text = JSON.stringify(value) ?? '';
  if (text.length <= LONGEST || isWhole)
    return <span className={`json-${value === null ? 'null' : typeof value}`}>{text}</span>;
  return (
    <>
      <span className="json-string">{text.slice(0, LONGEST)}…</span>
      <Button look="quiet" onClick={() => setWhole(true)}>
        All {text.length.toLocaleString()} characters
      </Button>
    </>
  );
}

interface JsonTreeProps {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
  readonly index?: number;
}

export function JsonTree({ value, name, depth = 0, index = 0 }: JsonTreeProps) {
  const isNested = typeof value === 'object' && value !== null;
  const entries = isNested ? Object.entries(value) : [];
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && index < OPEN_ENTRIES);
  const [shown, setShown] = useState(CHUNK);
  const key = name !== undefined && <span className="json-key">{name}: </span>;
  if (!isNested || entries.length === 0) {
    return (
      <div>
        {key}
        <Scalar value={value} />
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {key}
        <span className="muted">{Array.isArray(value) ? `[ ${entries.length} ]` : `{ ${entries.length} }`}</span>
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([inner, entry], at) => (
            <JsonTree key={inner} name={inner} value={entry} depth={depth + 1} index={at} />
          ))}
      {isOpen && entries.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + CHUNK)}>
          {CHUNK} more of {entries.length.toLocaleString()}
        </Button>
      )}
    </details>
  );
}
