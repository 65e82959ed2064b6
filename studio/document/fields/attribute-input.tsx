/**
 * @module The inputs of attributes, by type. Components hold inputs of their own.
 */
import { memo, type ReactElement, useEffect, useRef } from 'react';
import { useController, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { type Attributes, labelOf } from '../../model/attribute.ts';
import type { Values } from '../../model/model.ts';
import { useModel } from '../../shell/model-context.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { BlocksInput } from './blocks-input.tsx';
import { JsonInput, MarkdownInput } from './code-input.tsx';
import { Entry } from './entry.tsx';
import { attributesOf, componentOf, copyOf, isList, newEntry } from './form-values.ts';
import { Group, useFrame } from './frame.tsx';
import { MediaInput } from './media-input.tsx';
import { fieldName, type InputProps, joinPath, type Owner } from './owner.ts';
import { RelationInput } from './relation-input.tsx';
import { ChoiceInput, MomentInput, NumberInput, TextInput } from './scalar-inputs.tsx';
import { SortableItem, SortableList } from './sortable.tsx';
import { UidInput } from './uid-input.tsx';
import { isShown } from './validate.ts';

interface AttributeInputsProps {
  readonly attributes: Attributes;
  /** Path of the values that hold them; empty for those of the document. */
  readonly prefix: string;
  readonly owner: Owner;
  /** What stands beside the input of an attribute. */
  readonly beside?: ((name: string) => ReactElement | null) | undefined;
}

function InputList({ attributes, prefix, owner, beside }: AttributeInputsProps) {
  return (
    <fieldset className="inputs" disabled={owner.isReadOnly}>
      {Object.entries(attributes).map(([name, attribute]) => (
        <div key={name} className="input-row">
          <AttributeInput name={name} path={joinPath(prefix, fieldName(name))} attribute={attribute} owner={owner} />
          {beside?.(name)}
        </div>
      ))}
    </fieldset>
  );
}

function ConditionalInputs(props: AttributeInputsProps) {
  const { attributes, prefix } = props;
  const names = Object.keys(attributes);
  const watched: readonly unknown[] = useWatch({ name: names.map((name) => joinPath(prefix, fieldName(name))) });
  const values = Object.fromEntries(names.map((name, index) => [fieldName(name), watched[index]]));
  const shown = Object.entries(attributes).filter(([, attribute]) => isShown(attribute, attributes, values));
  return <InputList {...props} attributes={Object.fromEntries(shown)} />;
}

/** The inputs of attributes whose conditions hold. */
export function AttributeInputs(props: AttributeInputsProps) {
  const isConditional = Object.values(props.attributes).some(({ conditions }) => conditions?.visible !== undefined);
  return isConditional ? <ConditionalInputs {...props} /> : <InputList {...props} />;
}

function ComponentInput(props: InputProps) {
  const { path, attribute, owner } = props;
  const model = useModel();
  const { field } = useController({ name: path });
  const frame = useFrame(props);
  const isAdded = useRef(false);
  const add = () => {
    isAdded.current = true;
    field.onChange(newEntry(model, attribute.component));
  };
  if (field.value === null || field.value === undefined) {
    return (
      <Group frame={frame}>
        <div className="row">
          <Button icon="add" onClick={add}>
            Add {frame.label}
          </Button>
        </div>
      </Group>
    );
  }
  const remove = <IconButton icon="trash" label={`Remove ${frame.label}`} onClick={() => field.onChange(null)} />;
  return (
    <Group frame={frame}>
      <Entry
        path={path}
        component={model.components.get(attribute.component ?? '')}
        isOpen={!path.includes('.')}
        isNew={isAdded.current}
        actions={!attribute.required && remove}
      >
        <AttributeInputs attributes={attributesOf(model, attribute.component)} prefix={path} owner={owner} />
      </Entry>
    </Group>
  );
}

function ListInput(props: InputProps) {
  const { path, attribute, owner } = props;
  const model = useModel();
  const frame = useFrame(props);
  const { getValues } = useFormContext();
  const { fields, insert, remove, move } = useFieldArray({ name: path, keyName: '_key' });
  const added = useRef(-1);
  useEffect(() => {
    added.current = -1;
  });
  const place = (index: number, entry: Values) => {
    added.current = index;
    insert(index, entry, { shouldFocus: false });
  };
  const isFull = attribute.max !== undefined && fields.length >= Number(attribute.max);
  const choices = (attribute.components ?? []).map((uid) => ({
    label: model.components.get(uid)?.name ?? uid,
    onSelect: () => place(fields.length, newEntry(model, uid, uid)),
  }));
  const add = (
    <Button icon="add" disabled={isFull}>
      Add {attribute.type === 'dynamiczone' ? 'component' : 'entry'}
    </Button>
  );
  const actions = (index: number, label: string) => (
    <>
      <IconButton
        icon="copy"
        label={`Duplicate ${label}`}
        disabled={isFull}
        onClick={() => place(index + 1, copyOf(model, attribute, getValues(joinPath(path, index))))}
      />
      <IconButton icon="trash" label={`Remove ${label}`} onClick={() => remove(index)} />
    </>
  );
  return (
    <Group frame={frame} aside={<span className="badge">{fields.length}</span>}>
      <SortableList ids={fields.map(({ _key }) => _key)} className="entries" onMove={move}>
        {fields.map((entry, index) => {
          const uid = String(componentOf(attribute, entry));
          const label = `${labelOf(props.name)} ${index + 1}`;
          const at = joinPath(path, index);
          return (
            <SortableItem key={entry._key} id={entry._key} label={label} className="sortable">
              <Entry
                path={at}
                component={model.components.get(uid)}
                place={index + 1}
                isOpen={false}
                isNew={index === added.current}
                actions={actions(index, label)}
              >
                <AttributeInputs attributes={attributesOf(model, uid)} prefix={at} owner={owner} />
              </Entry>
            </SortableItem>
          );
        })}
      </SortableList>
      <div className="row">
        {choices.length > 0 ? (
          <Menu trigger={add} items={choices} />
        ) : (
          <Button
            icon="add"
            disabled={isFull}
            onClick={() => place(fields.length, newEntry(model, attribute.component))}
          >
            Add entry
          </Button>
        )}
      </div>
    </Group>
  );
}

/** A type that this page does not know, or a list that the API does not show. */
function UnknownInput(props: InputProps) {
  const frame = useFrame(props, ['not shown here; it stays as it is']);
  return <Group frame={frame}>{null}</Group>;
}

const INPUTS = new Map<string, (props: InputProps) => ReactElement>([
  ...['string', 'text', 'email', 'password', 'biginteger'].map((type) => [type, TextInput] as const),
  ...['integer', 'decimal', 'float'].map((type) => [type, NumberInput] as const),
  ...['date', 'time', 'datetime'].map((type) => [type, MomentInput] as const),
  ...['boolean', 'enumeration'].map((type) => [type, ChoiceInput] as const),
  ['uid', UidInput],
  ['json', JsonInput],
  ['richtext', MarkdownInput],
  ['blocks', BlocksInput],
  ['media', MediaInput],
  ['relation', RelationInput],
]);

const isSameInput = (a: InputProps, b: InputProps): boolean =>
  a.path === b.path &&
  a.attribute === b.attribute &&
  Object.entries(a.owner).every(([key, value]) => b.owner[key as keyof Owner] === value);

/** The input of one attribute. Others are not rendered again when it changes. */
export const AttributeInput = memo((props: InputProps) => {
  const { type } = props.attribute;
  const { getValues } = useFormContext();
  // A list of the form that has no value would get an empty one.
  if (isList(props.attribute) && getValues(props.path) !== undefined) return <ListInput {...props} />;
  if (type === 'component' && !isList(props.attribute)) return <ComponentInput {...props} />;
  const Input = INPUTS.get(type) ?? UnknownInput;
  return <Input {...props} />;
}, isSameInput);
