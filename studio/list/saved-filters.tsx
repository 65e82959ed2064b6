/**
 * @module Filters with a name: chosen, saved, renamed and deleted.
 */
import { type FormEvent, useState } from 'react';
import { readQuery, writeQuery } from '../api/query-string.ts';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { notifyError } from '../ui/toasts.tsx';
import { changeFilters, useSavedFilters } from './kept-view.ts';
import type { List } from './use-list.ts';
import { NARROWING, NO_FILTERS, pick } from './view.ts';

const focusAtFirst = (input: HTMLInputElement | null) => input?.focus();

const without = (saved: Readonly<Record<string, string>>, name = '') =>
  Object.fromEntries(Object.entries(saved).filter(([other]) => other !== name));

export function SavedFilters({ list: { type, query, change } }: { readonly list: List }) {
  const saved = useSavedFilters(type);
  const [renamed, setRenamed] = useState<string>();
  const current = writeQuery(pick(query, NARROWING));
  const chosen = Object.keys(saved).find((name) => saved[name] === current);
  const isTaken = (all: typeof saved, name: string) => name !== renamed && Object.hasOwn(all, name);
  const check = ({ currentTarget: input }: FormEvent<HTMLInputElement>) =>
    input.setCustomValidity(isTaken(saved, input.value.trim()) ? text('Another filter has this name.') : '');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    changeFilters(type, (now) => {
      // Another tab may have saved it since.
      if (isTaken(now, name)) {
        notifyError(text('Not saved'), text('Another filter has this name.'));
        return now;
      }
      const filter = renamed === undefined ? current : (now[renamed] ?? current);
      return { ...without(now, renamed), [name]: filter };
    });
    setRenamed(undefined);
  };
  if (current === '' && Object.keys(saved).length === 0) return null;
  return (
    <Popover
      label={text('Saved filters')}
      trigger={<Button label={chosen ?? text('Saved filters')} className={chosen ? 'current' : ''} />}
    >
      {(close) => (
        <>
          <ul className="plain">
            {Object.entries(saved).map(([name, filter]) => (
              <li key={name} className="row nowrap">
                <Button
                  label={name}
                  look="quiet"
                  className="grow ellipsis"
                  onClick={() => {
                    close();
                    change({ ...NO_FILTERS, ...pick(readQuery(filter), NARROWING) });
                  }}
                />
                <Button
                  label={text('Rename')}
                  aria-label={text('Rename “{name}”', { name })}
                  onClick={() => setRenamed(name)}
                />
                <IconButton
                  icon="trash"
                  label={text('Delete “{name}”', { name })}
                  onClick={() => changeFilters(type, (now) => without(now, name))}
                />
              </li>
            ))}
          </ul>
          {(renamed !== undefined || (current !== '' && !chosen)) && (
            <form className="row nowrap" onSubmit={submit}>
              <input
                key={renamed ?? ''}
                ref={focusAtFirst}
                name="name"
                aria-label={text('Name')}
                placeholder={text('Name of this filter')}
                defaultValue={renamed}
                onInput={check}
                pattern=".*\S.*"
                maxLength={60}
                autoComplete="off"
                required
              />
              <Button label={text('Save')} look="primary" type="submit" />
            </form>
          )}
        </>
      )}
    </Popover>
  );
}
