/**
 * @module Where files come in: the button, the place to drop them on, and what becomes of them.
 */
import { text } from '../texts/text.ts';
import { Icon } from '../ui/button.tsx';
import { Check } from '../ui/inputs.tsx';
import type { Folder } from './folders.ts';
import { UploadButton } from './upload-button.tsx';

interface UploadPlaceProps {
  /** The shown one, which the files go into. */
  readonly folder: Folder | undefined;
  readonly arePrivate: boolean;
  /** Missing where files cannot be private. */
  readonly onPrivate: ((arePrivate: boolean) => void) | undefined;
  readonly onFiles: (files: readonly File[]) => void;
}

export const UploadPlace = ({ folder, arePrivate, onPrivate, onFiles }: UploadPlaceProps) => (
  <section className="row upload-place" aria-label={text('Upload')}>
    <Icon name="upload" />
    <span className="grow muted">
      <span className="drop-hint">
        {folder ? text('Drop files here. They go into {name}.', { name: folder.name }) : text('Drop files here.')}
      </span>
      {arePrivate && (
        <span role="status">
          {' '}
          {text('New files are private: they open from the library and from documents that show them.')}
        </span>
      )}
    </span>
    {onPrivate && <Check label={text('Upload as private')} isOn={arePrivate} onChange={onPrivate} />}
    <UploadButton label={text('Upload')} look="primary" isMultiple onFiles={onFiles} />
  </section>
);
