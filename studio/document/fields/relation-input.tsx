/**
 * @module The input of a relation: the targets in order, and a search for more.
 */
import { useState } from 'react';
import { Link } from 'react-router';
import { isPolymorphic, isToMany } from '../../model/attribute.ts';
import { type Document, ownTypes, titleOf } from '../../model/model.ts';
import { useModel } from '../../shell/model-context.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { InputProps } from './owner.ts';
import { Picked } from './sortable.tsx';
import { Mark, TargetSearch } from './target-search.tsx';
import { mayFind, usePublished } from './targets.ts';
import { useInput } from './use-input.ts';

type Target = Document & { readonly __type?: string };

export function RelationInput(props: InputProps) {
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
  const pick = (document: Document) => {
    const added = isTyped ? { ...document, __type: uid } : document;
    setValue(isMany ? [...targets, added] : [added]);
  };
  /** Users, roles and files have no page of this kind. */
  const shown = (target: Target) => {
    const type = typeOf(target);
    const title = <span className="ellipsis">{titleOf(type, target)}</span>;
    const path = `/content/${type?.segment}${type?.kind === 'singleType' ? '' : `/${target.documentId}`}`;
    const query = type?.isLocalized && owner.locale ? `?locale=${owner.locale}` : '';
    return (
      <>
        <span className="grow">{type && !type.isSystem ? <Link to={path + query}>{title}</Link> : title}</span>
        {isTyped && <span className="badge">{type?.name ?? target.__type}</span>}
        <Mark published={published} id={target.documentId} />
      </>
    );
  };
  if (value === undefined || (!isTyped && !mayFind(model, searched))) {
    const titles = targets.map((target) => titleOf(searched, target)).join(', ');
    return (
      <Field {...field} isGroup>
        <p className="muted">{titles} You may not see what this relation points to. It stays as it is.</p>
      </Field>
    );
  }
  return (
    <Field {...field} isGroup aside={isMany && <span className="badge">{targets.length}</span>}>
      <Picked
        items={targets}
        keyOf={({ __type = '', documentId }) => `${__type}:${documentId}`}
        titleOf={(target) => titleOf(typeOf(target), target)}
        isMany={isMany}
        onChange={setValue}
      >
        {shown}
      </Picked>
      <div className="joined">
        {isTyped && (
          <Select
            label={`Type of ${field.label}`}
            value={uid}
            options={Object.fromEntries(choices.map((type) => [type.uid, type.name]))}
            onChange={setUid}
          />
        )}
        {searched && (
          <TargetSearch
            key={uid}
            type={searched}
            label={`${isMany ? 'Add to' : 'Choose'} ${field.label}`}
            owner={owner}
            chosen={targets.filter((target) => typeOf(target) === searched).map(({ documentId }) => documentId)}
            onPick={pick}
          />
        )}
      </div>
    </Field>
  );
}
