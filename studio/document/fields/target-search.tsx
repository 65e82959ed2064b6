/**
 * @module The search of a target by its title.
 */
import { Combobox } from '@base-ui/react/combobox';
import { useState } from 'react';
import { type ContentType, type Document, titleOf } from '../../model/model.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import type { Owner } from './owner.ts';
import { usePublished, useTargets } from './targets.ts';

/** Whether a target is published; nothing where that makes no difference. */
export function Mark({ published, id }: { readonly published: ReadonlySet<string> | undefined; readonly id: string }) {
  if (!published) return null;
  return published.has(id) ? <span className="badge good">Published</span> : <span className="badge warn">Draft</span>;
}

interface TargetSearchProps {
  readonly type: ContentType;
  readonly label: string;
  readonly owner: Owner;
  /** Ids of the targets that are chosen already. */
  readonly chosen: readonly unknown[];
  readonly onPick: (target: Document) => void;
}

export function TargetSearch({ type, label, owner, chosen, onPick }: TargetSearchProps) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = useTargets(type, useDelayed(text.trim()), owner, isOpen);
  const items = found.data?.pages.flat() ?? [];
  const published = usePublished(type, items, owner);
  const pick = (item: Document | null) => {
    if (item) onPick(item);
    setText('');
  };
  return (
    <Combobox.Root<Document>
      {...{ items, filter: null, value: null, inputValue: text }}
      onInputValueChange={setText}
      onOpenChange={setOpen}
      itemToStringLabel={(item) => titleOf(type, item)}
      onValueChange={pick}
    >
      <Combobox.Input aria-label={label} placeholder={`Search ${type.name}`} />
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="positioner">
          <Combobox.Popup className="popup menu target-popup">
            {found.isPending && <Loading label="Searching" />}
            {found.isError && <Failure error={found.error} />}
            {found.isSuccess && items.length === 0 && <p className="padded muted">Nothing is found.</p>}
            <Combobox.List>
              {(item: Document) => (
                <Combobox.Item
                  key={item.documentId}
                  value={item}
                  disabled={chosen.includes(item.documentId)}
                  className="menu-item row"
                >
                  <span className="ellipsis grow">{titleOf(type, item)}</span>
                  <Mark published={published} id={item.documentId} />
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
