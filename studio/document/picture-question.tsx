/**
 * @module The question for the alternative texts of pictures, before the document that shows them is published.
 */
import { useRef, useState } from 'react';
import { type ResponseBody, request } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { saveAlternativeText } from '../media/alternative-text.tsx';
import { type FileEntry, lacksText, mayChange, mayFindFiles, PAGE_PATH, thumbnailOf } from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Field } from '../ui/inputs.tsx';
import { Dialog } from '../ui/popups.tsx';
import { notifyError } from '../ui/toasts.tsx';

/** Files that are asked about. */
const MOST_FILES = 20;

const isFile = (value: object): value is FileEntry => 'mime' in value && 'url' in value && 'id' in value;

/** Returns the pictures without alternative text in values of a form, each once. */
export function mutePictures(values: unknown): readonly FileEntry[] {
  if (typeof values !== 'object' || values === null) return [];
  const found = isFile(values) ? [values].filter(lacksText) : Object.values(values).flatMap(mutePictures);
  return [...new Map(found.map((file) => [file.id, file])).values()];
}

/** Returns those that have none by now: a form has files as they were. */
async function readMute(files: readonly FileEntry[]): Promise<readonly FileEntry[]> {
  const query = { filters: { id: { $in: files.map(({ id }) => id) } }, pagination: { pageSize: MOST_FILES } };
  const { body } = await request<ResponseBody<readonly FileEntry[]>>(PAGE_PATH, { query });
  return body.data.filter(lacksText);
}

/** @param publish is called at once where nothing is to be asked */
export function usePictureQuestion(valuesOf: () => unknown, publish: () => Promise<void>) {
  const model = useModel();
  const [asked, ask] = useState<readonly FileEntry[]>([]);
  const isReading = useRef(false);
  const begin = async () => {
    const files = mayChange(model) && mayFindFiles(model) ? mutePictures(valuesOf()).slice(0, MOST_FILES) : [];
    if (files.length === 0) return publish();
    if (isReading.current) return;
    isReading.current = true;
    const isSamePerson = personCheck();
    // Who cannot read them publishes all the same.
    const mute = await readMute(files).catch(() => []);
    isReading.current = false;
    if (!isSamePerson()) return;
    if (mute.length === 0) return publish();
    ask(mute);
  };
  return { publish: begin, question: { asked, ask, publish } };
}

type PictureQuestionProps = ReturnType<typeof usePictureQuestion>['question'];

/** The texts are those of one question. */
export const PictureQuestion = (props: PictureQuestionProps) => props.asked.length > 0 && <Question {...props} />;

function Question({ asked, ask, publish }: PictureQuestionProps) {
  const [texts, setTexts] = useState<ReadonlyMap<number, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const typed = asked.filter(({ id }) => texts.get(id)?.trim());
  const close = () => ask([]);
  const confirm = async () => {
    const isSamePerson = personCheck();
    setBusy(true);
    let left = asked;
    try {
      for (const { id } of typed) {
        if (!isSamePerson()) return;
        await saveAlternativeText(id, texts.get(id) ?? '');
        left = left.filter((file) => file.id !== id);
      }
      if (!isSamePerson()) return;
      close();
      await publish();
    } catch (error) {
      notifyError(text('Not saved'), error);
      // Those that have a text by now are not asked for again.
      const mute = await readMute(left).catch(() => left);
      if (isSamePerson()) ask(mute);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text('{count} picture has no alternative text | {count} pictures have no alternative text', {
        count: asked.length,
      })}
      action={{
        label: text(typed.length > 0 ? 'Save and publish' : 'Publish without'),
        look: typed.length > 0 ? 'primary' : undefined,
        disabled: isBusy,
        onClick: () => void confirm(),
      }}
      onClose={close}
    >
      <p className="muted">{text('It is read to those who do not see the picture.')}</p>
      {asked.map((file) => (
        <div key={file.id} className="row nowrap top">
          <img className="thumbnail" src={thumbnailOf(file)} alt="" />
          <div className="grow">
            <Field id={`alternative-${file.id}`} label={file.name}>
              <input
                id={`alternative-${file.id}`}
                placeholder={text('What does it show?')}
                value={texts.get(file.id) ?? ''}
                onChange={({ target }) => setTexts(new Map(texts).set(file.id, target.value))}
              />
            </Field>
          </div>
        </div>
      ))}
    </Dialog>
  );
}
