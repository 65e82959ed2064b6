/**
 * @module Lists whose entries move by drag, and by keyboard: space, arrows, space.
 */
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';

interface ListProps {
  readonly ids: readonly string[];
  readonly className: string;
  readonly isGrid?: boolean;
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

export function SortableList({ ids, className, isGrid = false, onMove, children }: ListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (id: UniqueIdentifier | undefined) => ids.indexOf(String(id)) + 1;
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up entry ${place(active.id)} of ${ids.length}.`,
    onDragOver: ({ over }) => `Position ${place(over?.id)} of ${ids.length}.`,
    onDragEnd: ({ over }) => `Dropped at position ${place(over?.id)} of ${ids.length}.`,
    onDragCancel: ({ active }) => `Cancelled. The entry is at position ${place(active.id)} again.`,
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) onMove(place(active.id) - 1, place(over.id) - 1);
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} accessibility={{ announcements }} onDragEnd={drop}>
      <SortableContext items={[...ids]} strategy={isGrid ? rectSortingStrategy : verticalListSortingStrategy}>
        <ol className={className}>{children}</ol>
      </SortableContext>
    </DndContext>
  );
}

interface ItemProps {
  readonly id: string;
  /** What moves, for screen readers. */
  readonly label: string;
  readonly className: string;
  readonly isFixed?: boolean;
  readonly children: ReactNode;
}

export function SortableItem({ id, label, className, isFixed = false, children }: ItemProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
  });
  const style = { transform: CSS.Translate.toString(transform), transition, zIndex: isDragging ? 2 : undefined };
  return (
    <li ref={setNodeRef} className={className} style={style}>
      {!isFixed && (
        <IconButton
          icon="drag"
          label={`Move ${label}`}
          ref={setActivatorNodeRef}
          className="handle"
          aria-describedby={attributes['aria-describedby']}
          {...listeners}
        />
      )}
      {children}
    </li>
  );
}
