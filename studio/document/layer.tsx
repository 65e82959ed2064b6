/**
 * @module A related document in a layer over the form that it belongs to, which keeps its state.
 */
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { titleOf } from '../model/model.ts';
import { StateBadge } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { DocumentActions } from './document-actions.tsx';
import {
  DocumentForm,
  type DocumentFormState,
  DocumentNotices,
  FIRST_INPUT,
  useDocumentForm,
} from './document-form.tsx';
import { LayerLeaving } from './leaving.tsx';
import { isNewAt, type Place } from './place.ts';
import { type LayerPlace, localesOf, type ReadVersion, shownState, versionsAt } from './version.ts';

interface LayerProps extends LayerPlace {
  readonly place: Place;
  readonly opener: Element | null;
  readonly goOn: (created: Place) => void;
  readonly onClose: () => void;
}

interface EditorProps extends Omit<LayerProps, 'opener' | 'onClose'> {
  readonly version: ReadVersion | null;
  readonly other: ReadVersion | null;
  readonly published: ReadVersion | null;
  readonly isDeleted: boolean;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
}

const Header = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <header className="row">
    <Dialog.Title render={<h1>{title}</h1>} />
    {children}
    <Dialog.Close render={<IconButton icon="close" label={text('Close')} />} />
  </header>
);

function LayerEditor({ place, version, other, published, isDeleted, locales, goOn, ...layer }: EditorProps) {
  const form = useDocumentForm({ place, version, published, other, showForm: () => {}, goOn, layer });
  const { editing, actions, isReadOnly } = form;
  const { type } = place;
  const title = version ? titleOf(type, version.document) : text('New {name}', { name: type.name });
  return (
    <>
      <Header title={title}>
        {place.locale && <span className="badge">{place.locale}</span>}
        {type.hasDrafts && version && <StateBadge state={shownState(type, version, published)} />}
        <div className="row end page-actions">
          <DocumentActions {...{ place, version, published, locales, editing, actions, isReadOnly }} isInLayer />
        </div>
      </Header>
      <DocumentNotices {...{ form, isDeleted, locales }} />
      <DocumentForm form={form} />
      <LayerLeaving editing={editing} depth={layer.below.length} isWaiting={actions.meeting !== null} />
      <OpenedLayer form={form} />
    </>
  );
}

function Layer(props: LayerProps) {
  const { opener, onClose, ...editor } = props;
  const { place } = editor;
  const model = useModel();
  const isNew = isNewAt(place);
  const { data, error, refetch } = useQuery({ ...versionsAt(model, place), enabled: !isNew });
  // What was deleted meanwhile stays, with what was typed.
  const opened = useRef<ReadVersion>(null);
  opened.current = data?.edited ?? opened.current;
  const version = opened.current;
  const popup = useRef<HTMLDivElement>(null);
  const locales = version ? localesOf(version.document) : (data?.locales ?? []);
  return (
    <Dialog.Root open disablePointerDismissal onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          ref={popup}
          className="layer page stack"
          finalFocus={() => (opener instanceof HTMLElement ? opener : true)}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIRST_INPUT) ?? true}
        >
          {isNew || data ? (
            <LayerEditor
              {...{ ...editor, version, locales }}
              published={data?.published ?? null}
              other={data?.other ?? null}
              isDeleted={version !== null && data?.edited === null}
            />
          ) : (
            <>
              <Header title={place.type.name} />
              {error ? <Failure error={error} onRetry={() => refetch()} /> : <Loading />}
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The related document that is open over a form, if one is. */
export function OpenedLayer({ form: { over, forms } }: { readonly form: DocumentFormState }) {
  const { opened, close, goOn } = over;
  if (!opened) return null;
  return (
    <Layer
      // A created document stays in its form.
      key={opened.addresses[0]}
      place={opened.place}
      opener={opened.opener}
      below={forms}
      goOn={goOn}
      onClose={close}
      onSaved={(document, isDone) => {
        opened.onSaved(document);
        if (isDone) close();
      }}
    />
  );
}
