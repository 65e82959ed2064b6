/**
 * @module Small files of each kind that a media attribute may ask for.
 */

import { decideType } from '../src/features/files/decide-type.ts';
import type { MediaAttribute } from '../src/schema/model.ts';
import type { Settings } from '../src/schema/settings/config.ts';

interface Sample {
  /** As `allowedTypes` calls it. */
  readonly kind: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SAMPLES: readonly Sample[] = [
  { kind: 'images', name: 'pixel.png', type: 'image/png', bytes: bytesOf(atob(PNG)) },
  { kind: 'files', name: 'note.txt', type: 'text/plain', bytes: bytesOf('a note') },
  { kind: 'files', name: 'page.pdf', type: 'application/pdf', bytes: bytesOf('%PDF-1.4\n%%EOF\n') },
  { kind: 'videos', name: 'film.mp4', type: 'video/mp4', bytes: bytesOf('\0\0\0\x1cftypisom\0\0\x02\0isomiso2mp41') },
  { kind: 'audios', name: 'sound.mp3', type: 'audio/mpeg', bytes: bytesOf('ID3\x04\0\0\0\0\0\0') },
];

function isTaken({ name, type, bytes }: Sample, { upload }: Settings): boolean {
  try {
    decideType({ name, declared: type }, bytes, upload);
    return true;
  } catch {
    return false;
  }
}

/** A file that the attribute asks for and the settings let in. */
export const sampleFor = (
  { allowedTypes }: Pick<MediaAttribute, 'allowedTypes'>,
  settings: Settings,
): Sample | undefined =>
  SAMPLES.find(
    (sample) => (allowedTypes.length === 0 || allowedTypes.includes(sample.kind)) && isTaken(sample, settings),
  );

export function formOf({ name, type, bytes }: Sample): FormData {
  const form = new FormData();
  form.append('files', new Blob([bytes], { type }), name);
  return form;
}
