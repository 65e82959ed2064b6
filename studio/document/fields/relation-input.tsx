/**
 * @module The input of a relation: the targets in order, and a search for more.
 */
import { arrayMove } from '@dnd-kit/sortable';
import { useState } from 'react';
import { Link } from 'react-router';
import { isPolymorphic, isToMany } from '../../model/attribute.ts';
import { type ContentType, type Document, ownTypes, titleOf } from '../../model/model.ts';
import { useModel } from '../../shell/model-context.ts';
import { IconButton } from '../../ui/button.tsx';
import { Group, useInput } from './frame.tsx';
import type { InputProps, Owner } from './owner.ts';
import { PublishedMark } from './published-mark.tsx';
import { SortableItem, SortableList } from './sortable.tsx';
import { TargetSearch } from './target-search.tsx';
import { mayFind, usePublished } from './targets.ts';

type Target = Document & { readonly __type?: string };

const keyOf = ({ __type = '', documentId, id }: Target): string => `${__type}:${documentId ?? id}`;

/** Users, roles and files have no page of this kind. */
function addressOf(type: ContentType, { documentId }: Target, { locale }: Owner): string | undefined {
  if (type.isSystem) return undefined;
  const page = type.kind === 'singleType' ? `/content/${type.segment}` : `/content/${type.segment}/${documentId}`;
  return type.isLocalized && locale ? `${page}?locale=${locale}` : page;
}

interface TargetLineProps {
  readonly type: ContentType | undefined;
  readonly target: Target;
  readonly owner: Owner;
  readonly isTyped: boolean;
}

function TargetLine({ type, target, owner, isTyped }: TargetLineProps) {
  const address = type && addressOf(type, target, owner);
  const title = titleOf(type, target);
  return (
    <>
      <span className="target-title">
        {address ? (
          <Link to={address} className="ellipsis">
            {title}
          </Link>
        ) : (
          <span className="ellipsis">{title}</span>
        )}
      </span>
      {isTyped && <span className="badge">{type?.name ?? target.__type}</span>}
    </>
  );
}

export function RelationInput(props: InputProps) {
  const { attribute, owner } = props;
  const model = useModel();
  const isTyped = isPolymorphic(attribute);
  const isMany = isToMany(attribute);
  const choices = isTyped ? ownTypes(model).filter((type) => mayFind(model, type)) : [];
  const [uid, setUid] = useState(isTyped ? choices[0]?.uid : attribute.target);
  const target = model.types.get(uid ?? '');
  const { value, setValue, frame } = useInput(props);
  const targets = (value ?? []) as readonly Target[];
  const published = usePublished(isTyped ? undefined : target, targets, owner);
  const chosen = targets.filter(({ __type }) => !isTyped || __type === uid);
  const pick = (document: Document) => {
    const added = isTyped ? { ...document, __type: uid } : document;
    setValue(isMany ? [...targets, added] : [added]);
  };
  if (value === undefined || (!isTyped && !mayFind(model, target))) {
    return (
      <Group frame={frame}>
        <p className="muted">
          {targets.map((each) => titleOf(target, each)).join(', ')} You may not see what this relation points to. It
          stays as it is.
        </p>
      </Group>
    );
  }
  return (
    <Group frame={frame} aside={isMany && <span className="badge">{targets.length}</span>}>
      <SortableList
        ids={targets.map(keyOf)}
        className="targets"
        onMove={(from, to) => setValue(arrayMove([...targets], from, to))}
      >
        {targets.map((each) => {
          const type = isTyped ? model.types.get(each.__type ?? '') : target;
          return (
            <SortableItem
              key={keyOf(each)}
              id={keyOf(each)}
              label={titleOf(type, each)}
              className="target"
              isFixed={!isMany}
            >
              <TargetLine type={type} target={each} owner={owner} isTyped={isTyped} />
              <PublishedMark published={published} documentId={each.documentId} />
              <IconButton
                icon="close"
                label={`Remove ${titleOf(type, each)}`}
                onClick={() => setValue(targets.filter((other) => other !== each))}
              />
            </SortableItem>
          );
        })}
      </SortableList>
      <div className="joined">
        {isTyped && (
          <select aria-label={`Type of ${frame.label}`} value={uid} onChange={(event) => setUid(event.target.value)}>
            {choices.map((type) => (
              <option key={type.uid} value={type.uid}>
                {type.name}
              </option>
            ))}
          </select>
        )}
        {target && (
          <TargetSearch
            key={uid}
            type={target}
            label={`${isMany ? 'Add to' : 'Choose'} ${frame.label}`}
            owner={owner}
            chosen={new Set(chosen.map(({ documentId, id }) => documentId ?? id))}
            onPick={pick}
          />
        )}
      </div>
    </Group>
  );
}
