/**
 * @module The input of a relation: the targets in order, and a search for more.
 */
import { Combobox } from '@base-ui/react/combobox';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Query } from '../../api/query-string.ts';
import { type ResponseBody, request } from '../../api/request.ts';
import { isPolymorphic, isToMany } from '../../model/attribute.ts';
import { type ContentType, type Document, type Model, ownTypes, titleOf, versionQuery } from '../../model/model.ts';
import { DocumentLink, StateBadge } from '../../shell/document-link.tsx';
import { useModel } from '../../shell/model.ts';
import { text } from '../../texts/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, Select, useDelayed } from '../../ui/inputs.tsx';
import { useWhileHere } from '../../ui/late.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { notifyError } from '../../ui/toasts.tsx';
import type { FieldOwner, InputProps } from './owner.ts';
import { Picked } from './sortable.tsx';
import { useInput } from './use-input.ts';

const PAGE = 20;
/** A request may compare 100 values. */
const MOST = 90;

/** Whether the caller may read documents of the type. */
export const mayFind = (model: Model, type: ContentType | undefined): type is ContentType =>
  type !== undefined && model.may('get', type.path);

/** Reads a list. Those of users and files are bare arrays; a single type has one document. */
async function read(path: string, query: Query, signal: AbortSignal): Promise<readonly Document[]> {
  const options = { query, signal };
  const { body } = await request<ResponseBody<Document | readonly Document[]> | readonly Document[]>(path, options);
  return [('data' in body ? body.data : body) as Document[]].flat();
}

/** Searches the titles, page by page. */
function useTargets({ type, owner: { status, locale }, more }: TargetSearchProps, typed: string, isOpen: boolean) {
  const { path, titleAttribute: title, isSystem, kind } = type;
  const version = versionQuery(type, status, locale);
  const search = {
    ...version,
    fields: ['documentId', title, ...(more ? [more] : [])],
    sort: title,
    ...(typed && { filters: { [title]: { $containsi: typed } } }),
  };
  const paging = (page: number) =>
    isSystem ? { start: (page - 1) * PAGE, limit: PAGE } : { pagination: { page, pageSize: PAGE } };
  return useInfiniteQuery({
    queryKey: [path, search, 'targets'],
    enabled: isOpen,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      read(path, kind === 'singleType' ? version : { ...search, ...paging(pageParam) }, signal),
    getNextPageParam: (last, pages) => (last.length === PAGE ? pages.length + 1 : undefined),
  });
}

/** Returns the ids of the targets that are published; undefined where that makes no difference. */
function usePublished(type: ContentType | undefined, targets: readonly Document[], { status, locale }: FieldOwner) {
  const ids = targets.map(({ documentId }) => documentId);
  const hasMarks = type?.hasDrafts === true && status === 'draft' && ids.length > 0;
  const queryOf = (start: number) => ({
    ...(type?.isLocalized && locale && { locale }),
    fields: ['documentId'],
    filters: { documentId: { $in: ids.slice(start, start + MOST) } },
    pagination: { pageSize: MOST, withCount: false },
  });
  const starts = ids.flatMap((_, index) => (index % MOST === 0 ? index : []));
  const { data } = useQuery({
    queryKey: [type?.path, 'published', locale, ids],
    enabled: hasMarks,
    queryFn: async ({ signal }) =>
      (await Promise.all(starts.map((start) => read(type?.path ?? '', queryOf(start), signal)))).flat(),
  });
  return hasMarks && data ? new Set(data.map(({ documentId }) => documentId)) : undefined;
}

interface TargetSearchProps {
  readonly type: ContentType;
  readonly label: string;
  readonly owner: FieldOwner;
  /** Ids of the targets that are chosen already. */
  readonly chosen: readonly unknown[];
  /** An attribute that is read in addition to the title. */
  readonly more?: string | undefined;
  readonly onPick: (target: Document) => void;
}

export function TargetSearch(props: TargetSearchProps) {
  const { type, label, owner, chosen, onPick } = props;
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = useTargets(props, useDelayed(typed.trim()), isOpen);
  const items = found.data?.pages.flat() ?? [];
  const published = usePublished(type, items, owner);
  const pick = (item: Document | null) => {
    if (item) onPick(item);
    setTyped('');
  };
  return (
    <Combobox.Root<Document>
      {...{ items, filter: null, value: null, inputValue: typed }}
      onInputValueChange={setTyped}
      onOpenChange={setOpen}
      itemToStringLabel={(item) => titleOf(type, item)}
      onValueChange={pick}
    >
      <Combobox.Input aria-label={label} placeholder={text('Search {name}', { name: type.plural })} />
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="positioner">
          <Combobox.Popup className="popup">
            {found.isPending && <Loading label={text('Searching')} />}
            {found.isError && <Failure error={found.error} />}
            {found.isSuccess && items.length === 0 && <p className="padded muted">{text('Nothing is found.')}</p>}
            <Combobox.List>
              {(item: Document) => (
                <Combobox.Item
                  key={item.documentId}
                  value={item}
                  disabled={chosen.includes(item.documentId)}
                  className="row nowrap menu-item"
                >
                  <span className="ellipsis grow">{titleOf(type, item)}</span>
                  {published && <StateBadge state={published.has(item.documentId) ? 'published' : 'draft'} />}
                </Combobox.Item>
              )}
            </Combobox.List>
            {found.hasNextPage && (
              <Button
                label={text('More')}
                look="quiet"
                disabled={found.isFetching}
                onClick={() => found.fetchNextPage()}
              />
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

type Target = Document & { readonly __type?: string };

const keyOf = ({ __type = '', documentId }: Target): string => `${__type}:${documentId}`;

export function RelationField(props: InputProps) {
  const { attribute, owner } = props;
  const model = useModel();
  const isTyped = isPolymorphic(attribute);
  const isMany = isToMany(attribute);
  const choices = isTyped ? ownTypes(model).filter((type) => mayFind(model, type)) : [];
  const [uid, setUid] = useState(isTyped ? choices[0]?.uid : attribute.target);
  const searched = model.types.get(uid ?? '');
  const { value, setValue, field } = useInput(props);
  const targets = (value ?? []) as readonly Target[];
  const published = usePublished(isTyped ? undefined : searched, targets, owner);
  const typeOf = ({ __type }: Target) => (isTyped ? model.types.get(__type ?? '') : searched);
  const { inPlace } = owner;
  const { getValues } = useFormContext();
  const [saved, setSaved] = useState<ReadonlyMap<string, Document>>(new Map());
  /** As it was saved over this form. */
  const latest = (target: Target): Target => ({ ...target, ...saved.get(target.documentId) });
  const show = (document: Document) => setSaved((before) => new Map(before).set(document.documentId, document));
  const pick = (document: Document, type = uid) => {
    const added: Target = isTyped ? { ...document, __type: String(type) } : document;
    const others: readonly Target[] = isMany ? (getValues(props.path) ?? []) : [];
    show(document);
    // A layer may save twice.
    if (!others.some((other) => keyOf(other) === keyOf(added))) setValue([...others, added]);
  };
  /** Its layer may be opened again by the browser after the entry of this input has moved, or has gone. */
  const link = useWhileHere(pick);
  const linkCreated = (document: Document) => {
    if (!link(document, uid)) void notifyError(text('Not linked'), text('The entry that it was created for is gone.'));
  };
  const shown = (picked: Target) => {
    const target = latest(picked);
    const type = typeOf(target);
    const edit = () => type && inPlace?.open(type, target.documentId, show);
    const locale = type?.isLocalized ? owner.locale : undefined;
    return (
      <>
        <span className="grow ellipsis">
          <DocumentLink type={type} document={{ ...target, locale }} />
        </span>
        {isTyped && <span className="badge">{type?.name ?? target.__type}</span>}
        {published && <StateBadge state={published.has(target.documentId) ? 'published' : 'draft'} />}
        {type && inPlace?.mayOpen(type, target.documentId) && (
          <IconButton icon="edit" label={text('Edit {name}', { name: titleOf(type, target) })} onClick={edit} />
        )}
      </>
    );
  };
  if (value === undefined || (!isTyped && !mayFind(model, searched))) {
    const titles = targets.map((target) => titleOf(searched, target)).join(', ');
    return (
      <Field {...field} isGroup>
        <p className="muted">
          {titles} {text('You may not see what this relation points to. It stays as it is.')}
        </p>
      </Field>
    );
  }
  return (
    <Field {...field} isGroup aside={isMany && <span className="badge">{targets.length}</span>}>
      <Picked
        items={targets}
        keyOf={keyOf}
        titleOf={(target) => titleOf(typeOf(target), latest(target))}
        isMany={isMany}
        onChange={setValue}
      >
        {shown}
      </Picked>
      <div className="row nowrap">
        {isTyped && (
          <Select
            label={text('Type of {name}', { name: field.label })}
            value={uid}
            options={Object.fromEntries(choices.map((type) => [type.uid, type.name]))}
            onChange={setUid}
          />
        )}
        {searched && (
          <TargetSearch
            key={uid}
            type={searched}
            label={text(isMany ? 'Add to {name}' : 'Choose {name}', { name: field.label })}
            owner={owner}
            chosen={targets.filter((target) => typeOf(target) === searched).map(({ documentId }) => documentId)}
            onPick={(target) => pick(target)}
          />
        )}
        {searched && inPlace?.mayOpen(searched) && (
          <Button
            label={text('Create {name}', { name: searched.name })}
            icon="add"
            onClick={() => inPlace.open(searched, undefined, linkCreated)}
          />
        )}
      </div>
    </Field>
  );
}
