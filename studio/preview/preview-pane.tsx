/**
 * @module The page that shows the document, in a frame beside its form.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { pathOf } from '../document/place.ts';
import { type PreviewLink, previewLink, type ReadVersion, revisionOf } from '../document/version.ts';
import { editedStatus } from '../model/model.ts';
import { text, textsOf } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/inputs.tsx';
import { Failure, Loading, Notice } from '../ui/states.tsx';
import { Frame, type FrameProps } from './preview-frame.tsx';

/** What is in the frame. */
interface Shown {
  readonly link: PreviewLink;
  readonly status: string;
  /** Another one is another frame. */
  readonly key: number;
}

/** How far the page in the frame has come: it loads, it is there, it listens. */
type Progress = 'loading' | 'loaded' | 'ready';

interface WaitingProps {
  readonly progress: Progress;
  readonly url: string;
  readonly origin: string;
}

/** What the frame waits for. No other page is told whether one has loaded, so an empty frame is only explained. */
const Waiting = ({ progress, url, origin }: WaitingProps) => (
  <p className="row nowrap between muted small" role="status">
    <span>
      {progress === 'loading'
        ? text('Waiting for {origin} …', { origin })
        : text('Is the frame empty? Then nothing runs at {origin}, or it does not let Studio show it.', { origin })}
    </span>
    <a className="unbroken" href={url} target="_blank" rel="noreferrer">
      {text('Open in a tab')}
    </a>
  </p>
);

interface PaneProps extends Omit<FrameProps, 'url' | 'width' | 'isTyped' | 'onReady' | 'onLoad'> {
  readonly published: ReadVersion | null;
  readonly onClose: () => void;
}

/** Pixels. */
const WIDTHS = { Phone: 390, Tablet: 820, Desktop: 1280 };
const WIDTH_NAMES = { Phone: 'Phone', Tablet: 'Tablet', Desktop: 'Desktop' } as const;

/** The origins of pages that the settings name. A page of this origin could read the credential of this tab. */
const framedOrigins = (): readonly string[] =>
  (document.querySelector<HTMLMetaElement>('meta[name="studio-frames"]')?.content ?? '')
    .split(' ')
    .filter((origin) => origin !== location.origin);

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

const isSamePage = (a: PreviewLink, b: PreviewLink): boolean =>
  a.url.replaceAll(a.token, '') === b.url.replaceAll(b.token, '') && Date.parse(a.expiresAt) > Date.now();

export function PreviewPane({ published, onClose, ...props }: PaneProps) {
  const { place, version } = props;
  const edited = editedStatus(place.type);
  const [chosen, setChosen] = useState(edited);
  const status = published ? chosen : edited;
  const [device, setDevice] = useState<keyof typeof WIDTHS>('Desktop');
  const [shown, setShown] = useState<Shown>();
  const [progress, setProgress] = useState<Progress>('loading');
  const update = useRef<() => void>(undefined);
  const { data, error, refetch } = useQuery({
    // Each save may move the page.
    queryKey: ['preview', pathOf(place), place.locale, status, revisionOf(version.etag), revisionOf(published?.etag)],
    queryFn: async () => ({ link: await previewLink(place, status), status }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const show = (next: typeof data) => {
    update.current = undefined;
    setProgress('loading');
    if (next) setShown({ ...next, key: (shown?.key ?? 0) + 1 });
  };
  const take = useEffectEvent((next: typeof data) => {
    if (!next || next.link === shown?.link) return;
    if (shown && update.current && shown.status === next.status && isSamePage(shown.link, next.link)) update.current();
    else show(next);
  });
  useEffect(() => take(data), [data]);
  const origin = shown && originOf(shown.link.url);
  return (
    <section className="preview-pane card stack" aria-label={text('Page')}>
      <div className="row">
        {published && edited === 'draft' && (
          <Select
            label={text('Version')}
            value={status}
            options={textsOf({ draft: 'Draft', published: 'Published' })}
            onChange={(name) => setChosen(name as typeof edited)}
          />
        )}
        <Select
          label={text('Width')}
          value={device}
          options={textsOf(WIDTH_NAMES)}
          onChange={(name) => setDevice(name as typeof device)}
        />
        <Button label={text('Reload')} look="quiet" onClick={async () => show((await refetch()).data)} />
        <IconButton icon="close" label={text('Hide the page')} className="end" onClick={onClose} />
      </div>
      {error && <Failure error={error} onRetry={refetch} />}
      {!shown && !error && <Loading />}
      {shown && origin && !framedOrigins().includes(origin) && (
        <Notice>
          {text(
            'The page is at {origin}. Only pages of other sites are shown, and only those whose origin the setting preview names.',
            { origin },
          )}
        </Notice>
      )}
      {shown && origin && framedOrigins().includes(origin) && (
        <>
          {progress !== 'ready' && <Waiting progress={progress} url={shown.link.url} origin={origin} />}
          <Frame
            key={shown.key}
            {...props}
            url={shown.link.url}
            width={WIDTHS[device]}
            isTyped={shown.status === edited}
            onReady={(send) => {
              update.current = send;
              setProgress('ready');
            }}
            onLoad={() => setProgress((before) => (before === 'ready' ? before : 'loaded'))}
          />
        </>
      )}
    </section>
  );
}
