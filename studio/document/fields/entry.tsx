/**
 * @module One component in the form: it folds, and has no inputs while it is folded.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { get, useFormState, useWatch } from 'react-hook-form';
import { TEXT_TYPES } from '../../model/attribute.ts';
import type { Component } from '../../model/model.ts';
import { fieldName, joinPath } from './owner.ts';

interface EntryProps {
  readonly path: string;
  /** Missing where the caller may not see the component. */
  readonly component: Component | undefined;
  readonly place?: number;
  readonly startsOpen: boolean;
  /** Just added: takes the focus. */
  readonly isNew: boolean;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

export function Entry({ path, component, place, startsOpen, isNew, actions, children }: EntryProps) {
  const [isOpen, setOpen] = useState(startsOpen || isNew);
  const title = Object.entries(component?.attributes ?? {}).find(([, { type }]) => TEXT_TYPES.includes(type))?.[0];
  const value = useWatch({ name: joinPath(path, fieldName(title ?? '')), disabled: title === undefined });
  const isInvalid = get(useFormState({ name: path }).errors, path) !== undefined;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isInvalid) return;
    setOpen(true);
    // Nothing that is typed in at this moment loses the focus.
    const focus = () => {
      if (!document.activeElement?.closest('form'))
        body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    };
    setTimeout(focus, 50);
  }, [isInvalid]);
  useEffect(() => {
    if (isNew) body.current?.querySelector<HTMLElement>('input, select, textarea, [contenteditable], button')?.focus();
  }, [isNew]);
  return (
    <div className="entry">
      <details className="card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="row nowrap">
          <span className="muted">{place}</span>
          <strong>{component?.name ?? 'Component that you may not see'}</strong>
          <span className="ellipsis muted grow">{typeof value === 'string' && value.slice(0, 200)}</span>
          {isInvalid && <span className="badge bad">Check</span>}
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
