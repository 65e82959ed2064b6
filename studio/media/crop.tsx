/**
 * @module Cuts a section out of a picture, in the browser. It takes the place of the picture, or becomes another file.
 */
import { useRef, useState } from 'react';
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from 'react-image-crop';
import styles from 'react-image-crop/dist/ReactCrop.css' with { type: 'text' };
import { type FileEntry, isPrivate, mayUpload, safeUrl } from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { addUploads } from '../shell/uploads.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/inputs.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Dialog } from '../ui/popups.tsx';
import { addStyles } from '../ui/styles.ts';
import { notifyError } from '../ui/toasts.tsx';
import { replaceBytes, useRefresh } from './change-file.ts';
import { infoFor } from './folders.ts';

// Only who crops a picture loads them.
addStyles(styles);

const RATIOS = ['1:1', '4:3', '3:2', '16:9', '3:4', '2:3', '9:16'] as const;

const QUALITY = 0.92;
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** Bytes from this server: another host may not let a page read them. */
const ownUrl = ({ url }: FileEntry): string => (url.startsWith('/') ? url : `/uploads/${url.split('/').at(-1)}`);

/** `photo.avif` → `photo.png`, if that is what the browser makes of it. */
const croppedName = ({ name, mime }: FileEntry, type: string, suffix = ''): string => {
  const [, base = name, extension = ''] = /^(.+?)(\.\w+)?$/.exec(name) ?? [];
  return `${base}${suffix}${type === mime ? extension : `.${EXTENSIONS[type] ?? 'png'}`}`;
};

/** Returns the section with the pixels of the picture. Another type that the browser cannot write becomes a PNG. */
async function cut(image: HTMLImageElement, { x, y, width, height }: PercentCrop, type: string): Promise<Blob> {
  const [across, down] = [image.naturalWidth / 100, image.naturalHeight / 100];
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * across)), Math.max(1, Math.round(height * down)));
  const context = canvas.getContext('2d');
  context?.drawImage(image, x * across, y * down, width * across, height * down, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, quality: QUALITY });
}

/** Returns the place of the focal point in a section, as near as it can be. */
function pointWithin({ focalPoint }: FileEntry, crop: PercentCrop) {
  if (!focalPoint) return {};
  const place = (value: number, start: number, length: number) =>
    Math.round(Math.min(100, Math.max(0, ((value - start) / length) * 100)));
  return { focalPoint: { x: place(focalPoint.x, crop.x, crop.width), y: place(focalPoint.y, crop.y, crop.height) } };
}

function handleLabels() {
  const [top, bottom, left, right] = [text('Top'), text('Bottom'), text('Left'), text('Right')];
  const label = (...sides: readonly string[]) => text('{side}: arrow keys change the size', { side: sides.join(', ') });
  return {
    cropArea: text('Section: arrow keys move it'),
    ...{ nDragHandle: label(top), sDragHandle: label(bottom), wDragHandle: label(left), eDragHandle: label(right) },
    ...{ nwDragHandle: label(top, left), neDragHandle: label(top, right) },
    ...{ swDragHandle: label(bottom, left), seDragHandle: label(bottom, right) },
  };
}

interface CropProps {
  readonly file: FileEntry;
  /** The shown folder, into which another file goes. */
  readonly folder: string | undefined;
  readonly onClose: () => void;
}

export function Crop({ file: opened, folder, onClose }: CropProps) {
  const model = useModel();
  // The picture that is cut, also where another one has its URL since.
  const [file] = useState(opened);
  const refresh = useRefresh();
  const close = useWhileHere(onClose);
  const image = useRef<HTMLImageElement>(null);
  const [crop, setCrop] = useState<PercentCrop>({ unit: '%', x: 10, y: 10, width: 80, height: 80 });
  const [ratio, setRatio] = useState('');
  const { naturalWidth = 1, naturalHeight = 1 } = image.current ?? {};
  const aspectOf = (chosen: string) => {
    const [across = 1, down = 1] =
      chosen === 'original' ? [naturalWidth, naturalHeight] : chosen.split(':').map(Number);
    return across / down;
  };
  const choose = (chosen: string) => {
    setRatio(chosen);
    if (chosen === '') return;
    const section = makeAspectCrop({ unit: '%', width: 80 }, aspectOf(chosen), naturalWidth, naturalHeight);
    setCrop(centerCrop(section, naturalWidth, naturalHeight));
  };
  const save = async (asNew: boolean) => {
    if (!image.current) return;
    try {
      const blob = await cut(image.current, crop, file.mime);
      const cropped = new File([blob], croppedName(file, blob.type, asNew ? '-crop' : ''), { type: blob.type });
      const { alternativeText, caption } = file;
      const kept = { ...(alternativeText && { alternativeText }), ...(caption && { caption }) };
      const more = { ...kept, ...(isPrivate(file) && { private: true }), ...infoFor(folder).info };
      const point = pointWithin(file, crop);
      if (asNew) addUploads([cropped], { info: { ...more, ...point } });
      else await replaceBytes(file, cropped, point);
      close();
    } catch (error) {
      notifyError(text('Not saved'), error);
      await refresh();
    }
  };
  const ratios = { original: text('As the picture'), ...Object.fromEntries(RATIOS.map((each) => [each, each])) };
  return (
    <Dialog
      title={text('Crop {name}', { name: file.name })}
      isWide
      footer={mayUpload(model) && <Button label={text('Save as a new file')} onClick={() => void save(true)} />}
      action={{ label: text('Replace the picture'), onClick: () => void save(false) }}
      onClose={onClose}
    >
      <div className="row">
        <Select label={text('Ratio')} value={ratio} options={ratios} none={text('Any ratio')} onChange={choose} />
        <span role="status">
          {Math.round((naturalWidth * crop.width) / 100)} × {Math.round((naturalHeight * crop.height) / 100)}
        </span>
      </div>
      <ReactCrop
        crop={crop}
        {...(ratio !== '' && { aspect: aspectOf(ratio) })}
        ariaLabels={handleLabels()}
        keepSelection
        ruleOfThirds
        onChange={(_, next) => setCrop(next)}
      >
        <img ref={image} src={safeUrl(ownUrl(file))} alt="" onLoad={() => setCrop({ ...crop })} />
      </ReactCrop>
      <p className="muted">
        {text(
          'A replaced picture changes in all documents, and gets another URL, unless the setting upload.replace is "same-url". An animated picture stands still afterwards.',
        )}
      </p>
    </Dialog>
  );
}
