/**
 * @module The uploads of the session, each with its progress, its error, or the question for its alternative text.
 */
import { useEffect, useEffectEvent } from 'react';
import { useBeforeUnload } from 'react-router';
import { dropUploads, isRunning, retryUpload, type Upload, useUploads } from '../shell/uploads.ts';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { addStyles } from '../ui/styles.ts';
import { AlternativeText } from './alternative-text.tsx';
import { useRefresh } from './change-file.ts';
import styles from './media.css' with { type: 'text' };

addStyles(styles);

function Line({ upload }: { readonly upload: Upload }) {
  const { key, file, share, error, stored } = upload;
  return (
    <li className="stack upload">
      <div className="row nowrap">
        <span className="grow ellipsis">{file.name}</span>
        {!isRunning(upload) && (
          <IconButton
            icon="close"
            label={text('Dismiss {name}', { name: file.name })}
            onClick={() => dropUploads((other) => other.key !== key)}
          />
        )}
      </div>
      {isRunning(upload) && <progress value={share} aria-label={file.name} />}
      {error && (
        <div className="row">
          <span className="danger small" role="alert">
            {error}
          </span>
          <Button label={text('Try again')} onClick={() => retryUpload(upload)} />
        </div>
      )}
      {stored && <AlternativeText file={stored} />}
    </li>
  );
}

/** The browser asks before it leaves uploads that run. */
export function UploadList() {
  const uploads = useUploads();
  const refresh = useRefresh();
  const running = uploads.filter(isRunning).length;
  const failed = uploads.filter(({ error }) => error !== undefined).length;
  useBeforeUnload((event) => running > 0 && event.preventDefault());
  // Nothing has changed before the first upload.
  const haveEnded = uploads.length > 0 && running === 0;
  const onEnd = useEffectEvent(refresh);
  useEffect(() => void (haveEnded && onEnd()), [haveEnded]);
  if (uploads.length === 0) return null;
  return (
    <section className="stack padded uploads" aria-label={text('Uploads')}>
      <div className="row nowrap between">
        <span role="status">
          {running > 0
            ? text('{count} upload runs | {count} uploads run', { count: running })
            : failed > 0
              ? text('{count} upload failed: try it again | {count} uploads failed: try them again', { count: failed })
              : text('All files are uploaded')}
        </span>
        {running === 0 && <Button label={text('Dismiss')} look="quiet" onClick={() => dropUploads()} />}
      </div>
      <ul className="plain">
        {uploads.map((upload) => (
          <Line key={upload.key} upload={upload} />
        ))}
      </ul>
    </section>
  );
}
