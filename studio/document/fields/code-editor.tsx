/**
 * @module CodeMirror. It stands in a shadow root, where its styles need no style element.
 */
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState, type Text, Transaction } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { EditorView, minimalSetup } from 'codemirror';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { EditorProps } from './owner.ts';
import { inputText, useOutsideValue } from './use-input.ts';

interface CodeEditorProps extends EditorProps {
  readonly value: string;
  readonly isJson: boolean;
  readonly view?: RefObject<EditorView | null>;
  readonly onChange: (value: string) => void;
}

const theme = EditorView.theme({
  '&': { minHeight: '90px', maxHeight: '60vh', borderRadius: 'var(--radius)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mono)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { background: 'none', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': { background: 'var(--raised)', border: '1px solid var(--line)', color: 'var(--text)' },
});

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.string, tags.quote, tags.monospace], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.heading, tags.strong], fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
]);

const lintJson = linter((view) => (view.state.doc.length === 0 ? [] : jsonParseLinter()(view)));

/** Returns what ends the lines of a text. Where not all ends are the same, `\r` is a character like others. */
const lineEndOf = (text: string): string => (/\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n');

/** Returns the change that makes one text of another. What is the same at both ends stays, and the selection in it. */
function changeTo(before: Text, after: Text) {
  const [old, next] = [before.toString(), after.toString()];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  return { from: start, to: old.length - end, insert: after.slice(start, next.length - end) };
}

/** The key publishes the document; CodeMirror would insert a line. */
const isPublish = ({ ctrlKey, metaKey, key }: KeyboardEvent): boolean => (ctrlKey || metaKey) && key === 'Enter';

export function CodeEditor(props: CodeEditorProps) {
  const { value, isJson, isReadOnly } = props;
  const host = useRef<HTMLDivElement>(null);
  const own = useRef<EditorView>(null);
  const view = props.view ?? own;
  const current = () => inputText(props.current());
  /** The text of the editor, which the form may not have drawn yet. */
  const known = useRef(value);
  const [lineEnd, setLineEnd] = useState(() => lineEndOf(value));
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const root = host.current?.shadowRoot ?? host.current?.attachShadow({ mode: 'open', delegatesFocus: true });
    if (!root) return undefined;
    known.current = inputText(latest.current.current());
    const editor = new EditorView({
      doc: known.current,
      root,
      parent: root,
      extensions: [
        EditorView.domEventHandlers({ keydown: isPublish }),
        minimalSetup,
        EditorState.lineSeparator.of(lineEnd),
        EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, lineEnd)),
        isJson ? [json(), lintJson, lintGutter()] : markdown(),
        theme,
        syntaxHighlighting(colors),
        EditorView.lineWrapping,
        EditorView.editable.of(!isReadOnly),
        EditorView.contentAttributes.of(() => ({
          'aria-label': latest.current.label,
          ...(latest.current.error && { 'aria-invalid': 'true', 'aria-description': latest.current.error }),
        })),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const text = docChanged ? state.sliceDoc() : undefined;
          if (text === undefined || text === known.current) return;
          known.current = text;
          latest.current.onChange(text);
        }),
        EditorView.domEventHandlers({ blur: () => latest.current.onBlur() }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [isJson, isReadOnly, lineEnd, view]);

  useOutsideValue(
    value,
    current,
    (now) => now === known.current,
    (now) => {
      if (!view.current) return;
      if (now.includes('\n')) setLineEnd(lineEndOf(now));
      known.current = now;
      const { state } = view.current;
      const changes = changeTo(state.doc, state.toText(now));
      view.current.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
    },
  );

  return <div ref={host} className="code-editor card" />;
}
