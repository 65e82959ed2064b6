/**
 * @module Forms with files, as texts.
 */

const BOUNDARY = 'a-boundary';

/** A part of a form; a file if it has a name. */
export interface Part {
  readonly name: string;
  readonly value: string;
  readonly file?: string;
}

/** The body and the headers of a form. */
export function formOf(parts: readonly Part[]): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const texts = parts.map(({ name, value, file }) => {
    const of = file === undefined ? '' : `; filename="${file}"\r\ncontent-type: text/plain`;
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${of}\r\n\r\n${value}\r\n`;
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${texts.join('')}--${BOUNDARY}--\r\n`,
  };
}
