/**
 * @module The question for the alternative text of a picture that has none.
 */
import { useState } from 'react';
import { createStore, personCheck } from '../api/session.ts';
import { type FileEntry, lacksText, mayChange, mayFindFiles } from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { addStyles } from '../ui/styles.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import { changeFile, readFile, useRefresh } from './change-file.ts';
import styles from './media.css' with { type: 'text' };

addStyles(styles);

/** Ids of files that got a text here: a form still has them as they were. */
const answered = createStore<ReadonlySet<number>>(new Set());

/** @throws Error where it has a text by now */
export async function saveAlternativeText(id: number, typed: string): Promise<void> {
  const isSamePerson = personCheck();
  const now = await readFile(id);
  if (!isSamePerson()) return;
  if (!lacksText(now)) throw new Error(text('It was changed meanwhile. Read it again.'));
  await changeFile(id, { alternativeText: typed.trim() });
  answered.set(new Set([...answered.get(), id]));
}

/** Returns whether one may write the text of a picture that has none. */
export function useLacksText(file: FileEntry): boolean {
  const model = useModel();
  const isAnswered = answered.use().has(file.id);
  return lacksText(file) && !isAnswered && mayChange(model) && mayFindFiles(model);
}

/** No form of its own, since it stands in one. */
export function AlternativeText({ file }: { readonly file: FileEntry }) {
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  if (!useLacksText(file)) return null;
  const save = async () => {
    try {
      await saveAlternativeText(file.id, typed);
      notify(text('Saved'));
      await refresh();
    } catch (error) {
      notifyError(text('Not saved'), error);
    }
  };
  return (
    <div className="row nowrap alternative-text">
      <input
        aria-label={text('Alternative text of {name}', { name: file.name })}
        placeholder={text('What does it show?')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (typed.trim() !== '') void save();
        }}
      />
      <IconButton icon="check" label={text('Save text')} disabled={typed.trim() === ''} onClick={save} />
    </div>
  );
}
