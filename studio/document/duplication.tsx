/**
 * @module The question before a document is duplicated.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { personCheck } from '../api/session.ts';
import { screenOf, titleOf } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { useWhileHere } from '../ui/late.ts';
import { Dialog } from '../ui/popups.tsx';
import { notify } from '../ui/toasts.tsx';
import { duplicate } from './duplicate.ts';
import type { Place } from './place.ts';
import { type ReadVersion, versionsAt } from './version.ts';

interface DuplicationProps {
  readonly place: Place;
  readonly version: ReadVersion;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
  readonly onClose: () => void;
}

/** Saves the copy at once: a form holds one locale, and would show each unique value as free until it is published. */
export function Duplication({ place, version, locales, onClose }: DuplicationProps) {
  const model = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isWhole, setWhole] = useState(true);
  const show = useWhileHere((address: string) => {
    onClose();
    navigate(address);
  });
  const { type, locale } = place;
  // Who may not delete could not take back half a copy.
  const others = type.actions.has('delete') ? locales.filter((code) => code !== locale) : [];
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const isSamePerson = personCheck();
      const places = [place, ...(isWhole ? others : []).map((code) => ({ ...place, locale: code }))];
      const read = (at: Place) => queries.fetchQuery({ ...versionsAt(model, at), staleTime: 0 });
      const versions = await Promise.all(places.map(async (at) => [at, (await read(at)).edited] as const));
      const found = versions.flatMap(([at, edited]) => (edited ? [[at, edited] as const] : []));
      return { copy: await duplicate(model, found), isSamePerson };
    },
    onSuccess: ({ copy, isSamePerson }) => {
      if (!isSamePerson()) return;
      queries.invalidateQueries({ queryKey: [type.path] });
      notify(text('Duplicated'));
      show(screenOf(type, copy.documentId ?? null, locale));
    },
  });
  const action = { label: text('Duplicate'), disabled: isPending, onClick: () => mutate() };
  return (
    <Dialog
      title={text('Duplicate “{name}”?', { name: titleOf(type, version.document) })}
      action={action}
      onClose={onClose}
    >
      <p>
        {text(type.hasDrafts ? 'The copy is a draft.' : 'Readers see the copy at once.')}{' '}
        {text(
          'Unique values are changed, or left empty. Passwords, values that you may not see, changes that are not saved, and what belongs to one document alone are not copied.',
        )}
      </p>
      {others.length > 0 && (
        <label className="check">
          <input type="checkbox" checked={isWhole} onChange={({ target }) => setWhole(target.checked)} />
          {text('With its other locales: {locales}', {
            locales: others.map((code) => model.locales[code] ?? code).join(', '),
          })}
        </label>
      )}
      {error && (
        <p className="danger small" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}
