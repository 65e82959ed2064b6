/**
 * @module One file of the media library: its picture and its name; in a list what else is known of it.
 */
import * as files from '../model/file-entry.ts';
import { text } from '../texts/text.ts';
import { Icon } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { dragged } from './folders.ts';

export interface TileProps {
  /** Missing where files are not chosen. */
  readonly chosen?: readonly files.FileEntry[];
  readonly onOpen: (file: files.FileEntry) => void;
  /** Files to move, and what selects another one; missing where none is moved. */
  readonly selected?: readonly number[];
  readonly onSelect?: (ids: readonly number[]) => void;
}

interface FileTileProps extends TileProps {
  readonly file: files.FileEntry;
  readonly isList: boolean;
}

/** `image/svg+xml` → `SVG` */
const formatOf = ({ mime }: files.FileEntry): string =>
  (mime.split('/').at(-1)?.split(/[+;]/)[0] ?? mime).replace(/^x-/, '').toUpperCase();

function Facts({ file }: { readonly file: files.FileEntry }) {
  const { width, height, createdAt } = file;
  return (
    <>
      <span className="muted ellipsis">{formatOf(file)}</span>
      <span className="muted ellipsis">{width ? `${width} × ${height}` : ''}</span>
      <span className="muted ellipsis">{files.sizeOf(file)}</span>
      <span className="muted ellipsis">
        <Time of={createdAt} />
      </span>
    </>
  );
}

export function FileTile({ file, isList, chosen, onOpen, selected = [], onSelect }: FileTileProps) {
  const { id, name, focalPoint } = file;
  const url = files.thumbnailOf(file);
  const isSelected = selected.includes(id);
  const position = focalPoint ? { objectPosition: `${focalPoint.x}% ${focalPoint.y}%` } : {};
  return (
    <li {...(onSelect && dragged({ files: isSelected ? selected : [id] }))}>
      {onSelect && (
        <input
          type="checkbox"
          aria-label={text('Select {name}', { name })}
          checked={isSelected}
          onChange={() => onSelect(isSelected ? selected.filter((other) => other !== id) : [...selected, id])}
        />
      )}
      <button
        type="button"
        className="file card"
        aria-pressed={chosen?.some((other) => other.id === id)}
        onClick={() => onOpen(file)}
      >
        <span className="file-picture">
          {url ? (
            <img src={url} alt="" loading="lazy" draggable={false} style={position} />
          ) : (
            <span className="muted">{formatOf(file)}</span>
          )}
        </span>
        <span className="row nowrap file-name">
          <span className="ellipsis grow" title={name}>
            {name}
          </span>
          {files.isPrivate(file) && (
            <span className="muted" role="img" aria-label={text('Private')} title={text('Private')}>
              <Icon name="lock" />
            </span>
          )}
          {files.lacksText(file) && (
            <span
              className="badge warn"
              role="img"
              aria-label={text('No alternative text')}
              title={text('No alternative text')}
            >
              {text('No alt')}
            </span>
          )}
        </span>
        {isList ? (
          <Facts file={file} />
        ) : (
          <span className="muted small file-size ellipsis">
            {[file.width && `${file.width} × ${file.height}`, files.sizeOf(file)].filter(Boolean).join(' · ')}
          </span>
        )}
      </button>
    </li>
  );
}
