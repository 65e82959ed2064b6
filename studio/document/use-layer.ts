/**
 * @module The layer over a form, by its address: `?over=authors/<documentId>`, and `&over=tags/new` for one over that.
 * *Back* closes the last one.
 */
import { useEffect, useMemo, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import { type Document, typeOfSegment } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import type { InPlace } from './fields/owner.ts';
import { asked, layersIn, OVER } from './leaving.tsx';
import { isNewAt, type Place } from './place.ts';

/** Layers over a screen: a form in the last one opens no other. */
const MOST_LAYERS = 3;

const addressOf = (place: Place): string => `${place.type.segment}/${isNewAt(place) ? 'new' : place.documentId}`;

/** A related document that is open over the form. */
interface Opened {
  readonly place: Place;
  readonly onSaved: (document: Document) => void;
  /** Gets the focus back. */
  readonly opener: Element | null;
  /** The last one is that of its place: before it was created, it had another one. */
  readonly addresses: readonly string[];
}

/** @param forms those below, with that of this form */
export function useLayer(forms: readonly Place[]) {
  const model = useModel();
  const navigate = useNavigate();
  const here = useLocation();
  /** What is saved meanwhile goes on at the address of then. */
  const latest = useRef(here);
  latest.current = here;
  const depth = forms.length - 1;
  const named = layersIn(here.search)[depth];
  const kept = useRef<Opened>(null);

  const go = (layers: readonly string[], options: NavigateOptions): void => {
    const params = new URLSearchParams(latest.current.search);
    params.delete(OVER);
    for (const each of layers) params.append(OVER, each);
    navigate(`?${params}`, { ...options, flushSync: true });
  };
  const below = () => layersIn(latest.current.search).slice(0, depth);
  const open = (place: Place, onSaved: Opened['onSaved']): void => {
    kept.current = { place, onSaved, opener: document.activeElement, addresses: [addressOf(place)] };
    go([...below(), addressOf(place)], { state: { isLayer: true } });
  };
  /** Going back takes a moment, in which `Escape` may be pressed again. */
  const isClosing = useRef(false);
  const isAsked = asked.use() !== null;
  useEffect(() => {
    if (isAsked || named !== undefined) isClosing.current = false;
  }, [isAsked, named]);
  const last = useRef(open);
  last.current = open;

  const { inPlace, placeAt } = useMemo(() => {
    const isOpen = (uid: string, id: string) => forms.some((form) => form.type.uid === uid && form.documentId === id);
    const mayOpen: InPlace['mayOpen'] = ({ uid, kind, isSystem, actions: granted }, id) =>
      forms.length <= MOST_LAYERS &&
      kind === 'collectionType' &&
      !isSystem &&
      granted.has('findOne') &&
      (id === undefined ? granted.has('create') : granted.has('update') && !isOpen(uid, id));
    const placeOf: (...target: Parameters<InPlace['mayOpen']>) => Place = (type, documentId) => {
      const locale = type.isLocalized ? (forms.at(-1)?.locale ?? model.defaultLocale) : undefined;
      return { type, documentId, locale };
    };
    const inPlace: InPlace = {
      mayOpen,
      open: (type, documentId, onSaved) => last.current(placeOf(type, documentId), onSaved),
    };
    /** The place of an address that was loaded or sent. Nothing is left to link a new document to. */
    const placeAt = (address: string): Place | null => {
      const [segment = '', documentId = 'new'] = address.split('/');
      const type = typeOfSegment(model, segment);
      return type && documentId !== 'new' && mayOpen(type, documentId) ? placeOf(type, documentId) : null;
    };
    return { inPlace, placeAt };
  }, [forms, model]);

  const opened = useMemo((): Opened | null => {
    if (named === undefined) return null;
    if (kept.current?.addresses.includes(named)) return kept.current;
    const place = placeAt(named);
    return place && { place, onSaved: () => {}, opener: null, addresses: [named] };
  }, [named, placeAt]);

  return {
    opened,
    inPlace,
    /** Goes on with the created document, in the same layer, below those that were opened over it. */
    goOn: (place: Place): void => {
      if (!opened) return;
      const above = layersIn(latest.current.search).slice(forms.length);
      kept.current = { ...opened, place, addresses: [...opened.addresses, addressOf(place)] };
      // The address before would be that of the new document.
      const state = above.length === 0 ? latest.current.state : null;
      go([...below(), addressOf(place), ...above], { replace: true, state });
    },
    close: (): void => {
      if (isClosing.current) return;
      isClosing.current = latest.current.state?.isLayer === true;
      if (isClosing.current) navigate(-1);
      else go(below(), { replace: true });
    },
  };
}
