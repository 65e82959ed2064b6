/**
 * @module Lists whose entries move by drag, and by keyboard: space, arrows, space. An entry is what was picked, or a
 * component.
 */
import * as dnd from '@dnd-kit/core';
import * as sortable from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { get, useFormState, useWatch } from 'react-hook-form';
import { ranked } from '../../model/attribute-types.ts';
import type { ModelComponent } from '../../model/model.ts';
import { useModel } from '../../shell/model.ts';
import { text } from '../../texts/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { type FieldOwner, fieldName, joinPath } from './owner.ts';

/** Compares the edges in the direction of the drag: entries may be open, and much taller than others. */
const closestEdge: dnd.CollisionDetection = ({ active, collisionRect, droppableRects, droppableContainers }) => {
  const edge = collisionRect.top > (active.rect.current.initial?.top ?? 0) ? 'bottom' : 'top';
  const distance = (id: dnd.UniqueIdentifier) =>
    Math.abs((droppableRects.get(id)?.[edge] ?? Number.POSITIVE_INFINITY) - collisionRect[edge]);
  return droppableContainers.map(({ id }) => ({ id })).sort((a, b) => distance(a.id) - distance(b.id));
};

interface ListProps {
  readonly ids: readonly string[];
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

export function SortableList({ ids, onMove, children }: ListProps) {
  const sensors = dnd.useSensors(
    dnd.useSensor(dnd.PointerSensor, { activationConstraint: { distance: 4 } }),
    dnd.useSensor(dnd.KeyboardSensor, { coordinateGetter: sortable.sortableKeyboardCoordinates }),
  );
  const place = (item: { readonly id: dnd.UniqueIdentifier } | null) => ids.indexOf(String(item?.id)) + 1;
  const total = ids.length;
  const announcements: dnd.Announcements = {
    onDragStart: ({ active }) => text('Picked up entry {place} of {total}.', { place: place(active), total }),
    onDragOver: ({ over }) => text('Position {place} of {total}.', { place: place(over), total }),
    onDragEnd: ({ over }) => text('Dropped at position {place} of {total}.', { place: place(over), total }),
    onDragCancel: ({ active }) => text('Cancelled. The entry is at position {place} again.', { place: place(active) }),
  };
  const drop = ({ active, over }: dnd.DragEndEvent) => {
    if (over && over.id !== active.id) onMove(place(active) - 1, place(over) - 1);
  };
  return (
    <dnd.DndContext
      sensors={sensors}
      collisionDetection={closestEdge}
      accessibility={{
        announcements,
        screenReaderInstructions: {
          draggable: text(
            'To pick up a draggable item, press the space bar. While dragging, use the arrow keys to move the item. Press space again to drop the item in its new position, or press escape to cancel.',
          ),
        },
      }}
      onDragEnd={drop}
    >
      <sortable.SortableContext items={[...ids]} strategy={sortable.verticalListSortingStrategy}>
        {ids.length > 0 && <ol className="plain">{children}</ol>}
      </sortable.SortableContext>
    </dnd.DndContext>
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
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition } = sortable.useSortable({
    id,
  });
  return (
    <li ref={setNodeRef} className={className} style={{ transform: CSS.Translate.toString(transform), transition }}>
      {!isFixed && (
        <IconButton
          icon="drag"
          label={text('Move {name}', { name: label })}
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

interface PickedProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly titleOf: (item: T) => string;
  readonly isMany: boolean;
  readonly onChange: (items: readonly T[]) => void;
  readonly children: (item: T) => ReactNode;
}

/** What was picked for a relation or media, in order. */
export const Picked = <T,>({ items, keyOf, titleOf, isMany, onChange, children }: PickedProps<T>) => (
  <SortableList ids={items.map(keyOf)} onMove={(from, to) => onChange(sortable.arrayMove([...items], from, to))}>
    {items.map((item) => (
      <SortableItem
        key={keyOf(item)}
        id={keyOf(item)}
        label={titleOf(item)}
        className="picked card row nowrap"
        isFixed={!isMany}
      >
        {children(item)}
        <IconButton
          icon="close"
          label={text('Remove {name}', { name: titleOf(item) })}
          onClick={() => onChange(items.filter((other) => other !== item))}
        />
      </SortableItem>
    ))}
  </SortableList>
);

/** Returns the attributes whose first text names an entry: the main field, then texts, then choices. */
function titlesOf(component: ModelComponent): readonly string[] {
  const mainField = component?.config?.settings?.mainField;
  return ranked(component?.attributes ?? {}, mainField, 'entryRank');
}

interface EntryProps {
  readonly path: string;
  /** Of the component, which the caller may not see perhaps. */
  readonly uid: string;
  readonly owner: FieldOwner;
  readonly place?: number;
  readonly startsOpen: boolean;
  /** Just added: takes the focus. */
  readonly isNew: boolean;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** One component in the form: it folds, and has no inputs while it is folded. */
export function Entry({ path, uid, owner: { unfolded }, place, startsOpen, isNew, actions, children }: EntryProps) {
  const component = useModel().components.get(uid);
  const [isOpen, setOpen] = useState(startsOpen || isNew);
  const [seen, see] = useState<FieldOwner['unfolded']>();
  if (unfolded !== seen) {
    see(unfolded);
    if (unfolded?.path.startsWith(`${path}.`)) setOpen(true);
  }
  const titles = titlesOf(component);
  const values: readonly unknown[] = useWatch({ name: titles.map((name) => joinPath(path, fieldName(name))) });
  const title = values.find((value) => typeof value === 'string' && value !== '') as string | undefined;
  const isInvalid = get(useFormState({ name: path }).errors, path) !== undefined;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isInvalid) setOpen(true);
  }, [isInvalid]);
  useEffect(() => {
    if (isNew) body.current?.querySelector<HTMLElement>('input, select, textarea, [contenteditable], button')?.focus();
  }, [isNew]);
  return (
    <div className="entry">
      <details
        className="card"
        data-path={path}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="row nowrap">
          <span className="muted">{place}</span>
          <strong>{component?.name ?? text('Component that you may not see')}</strong>
          <span className="ellipsis muted grow">{title?.slice(0, 200)}</span>
          {isInvalid && <span className="badge bad">{text('Check')}</span>}
        </summary>
        {isOpen && (
          <div ref={body} className="padded">
            {children}
          </div>
        )}
      </details>
      <div className="entry-actions">{actions}</div>
    </div>
  );
}
