/**
 * @module Two texts as one, with what was removed and what was added.
 */
import { diffLines, diffWordsWithSpace } from 'diff';

/** Longer texts are compared by lines. */
const MOST_CHARACTERS = 20_000;

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
}

export function Difference({ before, after }: DifferenceProps) {
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
