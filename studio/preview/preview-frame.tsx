/**
 * @module The frame of a page, and the events that it exchanges with the form: docs/decisions/preview-events.md.
 */
import { useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { isQuery } from '../api/query-string.ts';
import { type FormValues, fromDocument } from '../document/fields/form-values.ts';
import type { Place } from '../document/place.ts';
import type { ReadVersion } from '../document/version.ts';
import type { Attributes } from '../model/attribute.ts';
import type { Values } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { fieldOfSource, fieldPath, fieldsOf, focusField, formPath, type PreviewedField } from './preview-fields.ts';
import { previewScript } from './preview-script.ts';

export interface FrameProps {
  readonly place: Place;
  readonly version: ReadVersion;
  readonly attributes: Attributes;
  readonly url: string;
  /** Of the window that the page sees, in pixels. */
  readonly width: number;
  /** Does the page show the version of the form? */
  readonly isTyped: boolean;
  /** Makes the form visible. */
  readonly showForm: () => void;
  /** Is called when the page listens, with a function that makes it read again. */
  readonly onReady: (update: () => void) => void;
  /** Is called when the frame has loaded: a page, or the browser's own that says why there is none. */
  readonly onLoad: () => void;
}

/** Milliseconds until the page shows what is typed. */
const DELAY = 100;

/** Without the rights to navigate Studio away, and to read where the page is shown. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads';

const valuesByPath = (fields: readonly PreviewedField[]): ReadonlyMap<string, unknown> =>
  new Map(fields.map(({ path, value }) => [path, value]));

export function Frame({ place, version, attributes, url, width, isTyped, showForm, onReady, onLoad }: FrameProps) {
  const model = useModel();
  const { getValues, subscribe } = useFormContext<FormValues>();
  const frame = useRef<HTMLIFrameElement>(null);
  /** The values that the page shows, by path; null until it listens. */
  const known = useRef<ReadonlyMap<string, unknown>>(null);
  const latest = useRef({ version, showForm, onReady });
  latest.current = { version, showForm, onReady };
  const { origin } = new URL(url);
  const { documentId } = version.document;
  const { locale } = place;

  useEffect(() => {
    const element = document.querySelector('.document-form');
    const end = new AbortController();
    const listening = { signal: end.signal };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fields = (values: Values) => fieldsOf(model, attributes, values);
    const send = (type: string, payload?: object) =>
      frame.current?.contentWindow?.postMessage({ type, ...(payload && { payload }) }, origin);

    function sendChanges(): void {
      timer = undefined;
      if (!known.current) return;
      const current = fields(getValues());
      for (const { path, type, value } of current) {
        const before = known.current.get(path);
        if (JSON.stringify(before) !== JSON.stringify(value))
          send('strapiFieldChange', { field: path, value, type, before });
      }
      known.current = valuesByPath(current);
    }

    function start(): void {
      const options = { parentOrigin: location.origin, documentId, locale };
      send('strapiScript', { script: `(${previewScript})(${JSON.stringify(options)})` });
      latest.current.onReady(() => send('strapiUpdate'));
      if (!isTyped) return;
      known.current = valuesByPath(fields(fromDocument(model, attributes, latest.current.version.document)));
      sendChanges();
    }

    function listen({ source, origin: sender, data }: MessageEvent): void {
      if (source === null || source !== frame.current?.contentWindow || sender !== origin || !isQuery(data)) return;
      if (data.type === 'previewReady') start();
      // A page leads to a field only while the user is in it.
      if (data.type !== 'strapiFieldFocusIntent' || document.activeElement !== frame.current) return;
      const named = isQuery(data.payload) ? data.payload.path : undefined;
      const field = fieldOfSource(named, { documentId, locale }, fields(getValues()));
      if (!field || !element) return;
      latest.current.showForm();
      focusField(element, formPath(field.path));
    }
    window.addEventListener('message', listen, listening);

    const report = (type: string) => (event: Event) => {
      const place = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-path]') : null;
      if (place && known.current) send(type, { field: fieldPath(place.dataset.path ?? '') });
    };
    element?.addEventListener('focusin', report('strapiFieldFocus'), listening);
    element?.addEventListener('focusout', report('strapiFieldBlur'), listening);
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: () => {
        timer ??= setTimeout(sendChanges, DELAY);
      },
    });
    return () => {
      end.abort();
      unsubscribe();
      clearTimeout(timer);
    };
  }, [getValues, subscribe, model, attributes, origin, documentId, locale, isTyped]);

  const [size, setSize] = useState({ width, height: 0 });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, (size.width || width) / width);
  return (
    <div ref={box} className="preview-frame">
      <iframe
        ref={frame}
        title={text('The page')}
        src={url}
        onLoad={onLoad}
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
        style={{ width, height: size.height / scale, transform: `scale(${scale})` }}
      />
    </div>
  );
}
