/**
 * @module The search of a target by its title.
 */
import { Combobox } from '@base-ui/react/combobox';
import { useDeferredValue, useState } from 'react';
import { type ContentType, type Document, titleOf } from '../../model/model.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import type { Owner } from './owner.ts';
import { PublishedMark } from './published-mark.tsx';
import { usePublished, useTargets } from './targets.ts';

interface TargetSearchProps {
  readonly type: ContentType;
  readonly label: string;
  readonly owner: Owner;
  /** Ids of the targets that are chosen already. */
  readonly chosen: ReadonlySet<unknown>;
  readonly onPick: (target: Document) => void;
}

export function TargetSearch({ type, label, owner, chosen, onPick }: TargetSearchProps) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = useTargets(type, useDeferredValue(text.trim()), owner, isOpen);
  const items = found.data?.pages.flat() ?? [];
  const published = usePublished(type, items, owner);
  return (
    <Combobox.Root<Document>
      items={items}
      filter={null}
      value={null}
      inputValue={text}
      onInputValueChange={setText}
      onOpenChange={setOpen}
      itemToStringLabel={(item) => titleOf(type, item)}
      onValueChange={(item) => {
        if (item) onPick(item);
        setText('');
      }}
    >
      <Combobox.Input aria-label={label} placeholder={`Search ${type.name}`} className="target-search" />
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="positioner">
          <Combobox.Popup className="popup menu target-popup">
            {found.isPending && <Loading label="Searching" />}
            {found.isError && <Failure error={found.error} />}
            {found.isSuccess && items.length === 0 && <p className="loading">Nothing is found.</p>}
            <Combobox.List>
              {(item: Document) => (
                <Combobox.Item
                  key={item.documentId}
                  value={item}
                  disabled={chosen.has(item.documentId ?? item.id)}
                  className="menu-item target-item"
                >
                  <span className="ellipsis">{titleOf(type, item)}</span>
                  <PublishedMark published={published} documentId={item.documentId} />
                </Combobox.Item>
              )}
            </Combobox.List>
            {found.hasNextPage && (
              <Button look="quiet" disabled={found.isFetching} onClick={() => found.fetchNextPage()}>
                More
              </Button>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
