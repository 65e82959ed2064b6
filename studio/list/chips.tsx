/**
 * @module The filters of a list in words, each with a button that removes it.
 */
import { useModel } from '../shell/model.ts';
import { text, textsOf } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { filterWords } from './filter-words.ts';
import { group, readFilters, writeFilters } from './filters.ts';
import { PUBLICATION_FILTER_LABELS } from './list-query.ts';
import { isStateTab } from './state-tabs.tsx';
import { useTitles } from './target-value.tsx';
import type { List } from './use-list.ts';

const Chip = ({ words, onRemove }: { readonly words: string; readonly onRemove: () => void }) => (
  <li className="badge accent chip">
    {words}
    <IconButton icon="close" label={text('Remove {name}', { name: words })} onClick={onRemove} />
  </li>
);

export function Chips({ list: { type, query, change } }: { readonly list: List }) {
  const model = useModel();
  const root = readFilters(query.filters);
  const titles = useTitles(type.uid, root);
  const state = isStateTab(query) ? '' : String(query.publicationFilter ?? '');
  if (root.parts.length === 0 && state === '') return null;
  return (
    <ul className="row chips" aria-label={text('Filters')}>
      {root.parts.map((part, index) => {
        const rest = writeFilters(group('and', root.parts.toSpliced(index, 1)));
        const words = filterWords(model, type.uid, part, titles);
        // biome-ignore lint/suspicious/noArrayIndexKey: two chips may have the same condition, and none has state
        return <Chip key={index} words={words} onRemove={() => change({ filters: rest })} />;
      })}
      {state && (
        <Chip
          words={textsOf(PUBLICATION_FILTER_LABELS)[state] ?? state}
          onRemove={() => change({ publicationFilter: undefined })}
        />
      )}
    </ul>
  );
}
