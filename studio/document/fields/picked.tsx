/**
 * @module What was picked for a relation or media, in order.
 */
import { arrayMove } from '@dnd-kit/sortable';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { SortableItem, SortableList } from './sortable.tsx';

interface PickedProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly titleOf: (item: T) => string;
  readonly isMany: boolean;
  readonly onChange: (items: readonly T[]) => void;
  readonly children: (item: T) => ReactNode;
}

export const Picked = <T,>({ items, keyOf, titleOf, isMany, onChange, children }: PickedProps<T>) => (
  <SortableList ids={items.map(keyOf)} onMove={(from, to) => onChange(arrayMove([...items], from, to))}>
    {items.map((item) => (
      <SortableItem key={keyOf(item)} id={keyOf(item)} label={titleOf(item)} className="picked" isFixed={!isMany}>
        {children(item)}
        <IconButton
          icon="close"
          label={`Remove ${titleOf(item)}`}
          onClick={() => onChange(items.filter((other) => other !== item))}
        />
      </SortableItem>
    ))}
  </SortableList>
);
