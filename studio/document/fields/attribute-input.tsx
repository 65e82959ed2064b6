/**
 * @module The inputs of attributes, by type. Components hold inputs of their own.
 */
import { type CSSProperties, memo, type ReactElement, useRef } from 'react';
import { useController, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { sameFor } from '../../../src/common/same-for.ts';
import type { AttributeType } from '../../../src/schema/model.ts';
import { type Attribute, type Attributes, isNeverShown, labelOf } from '../../model/attribute.ts';
import type { Layout, Values } from '../../model/model.ts';
import { useModel } from '../../shell/model.ts';
import { text } from '../../texts/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/inputs.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attributesOf, componentOf, isList } from './entries.ts';
import { copyOf, newEntry } from './form-values.ts';
import { HiddenInput } from './hidden-input.tsx';
import { arranged } from './layout.ts';
import { MediaInput } from './media-input.tsx';
import { type FieldOwner, fieldName, type InputProps, joinPath } from './owner.ts';
import { RelationField } from './relation-input.tsx';
import * as scalar from './scalar-inputs.tsx';
import { Entry, SortableItem, SortableList } from './sortable.tsx';
import { useField } from './use-input.ts';
import { isShown } from './validate.ts';

interface AttributeInputsProps {
  readonly attributes: Attributes;
  readonly layout?: Layout | undefined;
  /** Path of the values that hold them; empty for those of the document. */
  readonly prefix: string;
  readonly owner: FieldOwner;
  /** What stands beside the input of an attribute. */
  readonly beside?: ((name: string, attribute: Attribute) => ReactElement) | undefined;
}

/** The inputs of attributes whose conditions hold. */
export function AttributeInputs({ attributes, layout, prefix, owner, beside }: AttributeInputsProps) {
  const names = Object.keys(attributes);
  const paths = names.map((name) => joinPath(prefix, fieldName(name)));
  const disabled = Object.values(attributes).every(({ conditions }) => conditions?.visible === undefined);
  const watched: readonly unknown[] = useWatch({ name: paths, disabled }) ?? [];
  const values = Object.fromEntries(names.map((name, index) => [fieldName(name), watched[index]]));
  const shown = Object.fromEntries(
    Object.entries(attributes).filter(([, attribute]) => isShown(attribute, attributes, values)),
  );
  return (
    <fieldset className="inputs" disabled={owner.isReadOnly}>
      <div className="input-grid">
        {arranged(shown, layout).map(([name, column]) => {
          const path = joinPath(prefix, fieldName(name));
          const attribute = attributes[name] as Attribute;
          return (
            <div key={name} className="input-place" data-path={path} style={{ '--column': column } as CSSProperties}>
              <AttributeInput name={name} path={path} attribute={attribute} owner={owner} />
              {beside?.(name, attribute)}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

interface ComponentInputsProps {
  readonly uid: string | undefined;
  readonly path: string;
  readonly owner: FieldOwner;
}

function ComponentInputs({ uid, path, owner }: ComponentInputsProps) {
  const model = useModel();
  const layout = model.components.get(uid ?? '')?.config?.layouts?.edit;
  return <AttributeInputs attributes={attributesOf(model, uid)} layout={layout} prefix={path} owner={owner} />;
}

function ComponentInput(props: InputProps) {
  const { path, attribute, owner } = props;
  const model = useModel();
  const { value, onChange } = useController({ name: path }).field;
  const field = useField(props);
  const isAdded = useRef(false);
  const add = () => {
    isAdded.current = true;
    onChange(newEntry(model, attribute.component));
  };
  return (
    <Field {...field} isGroup>
      {value ? (
        <Entry
          path={path}
          uid={attribute.component ?? ''}
          owner={owner}
          startsOpen={!path.includes('.')}
          isNew={isAdded.current}
          actions={
            !attribute.required && (
              <IconButton
                icon="trash"
                label={text('Remove {name}', { name: field.label })}
                onClick={() => onChange(null)}
              />
            )
          }
        >
          <ComponentInputs uid={attribute.component} path={path} owner={owner} />
        </Entry>
      ) : (
        <div className="row">
          <Button label={text('Add {name}', { name: field.label })} icon="add" onClick={add} />
        </div>
      )}
    </Field>
  );
}

let lastKey = 0;

/** Keys of the entries of a list. They stay when a save brings the ids of new entries. */
function useEntryKeys(length: number): string[] {
  const keys = useRef<string[]>([]);
  keys.current.length = Math.min(keys.current.length, length);
  while (keys.current.length < length) keys.current.push(`entry-${lastKey++}`);
  return keys.current;
}

function ListInput(props: InputProps) {
  const { path, attribute, owner } = props;
  const model = useModel();
  const field = useField(props);
  const { getValues } = useFormContext();
  const { fields, insert, remove, move } = useFieldArray({ name: path, keyName: '_key' });
  const keys = useEntryKeys(fields.length);
  const added = useRef('');
  const place = (index: number, entry: Values) => {
    added.current = `entry-${lastKey++}`;
    keys.splice(index, 0, added.current);
    insert(index, entry, { shouldFocus: false });
  };
  const drop = (index: number) => {
    keys.splice(index, 1);
    remove(index);
  };
  const moveTo = (from: number, to: number) => {
    keys.splice(to, 0, ...keys.splice(from, 1));
    move(from, to);
  };
  const copy = (index: number) => place(index + 1, copyOf(model, attribute, getValues(joinPath(path, index))));
  const isFull = attribute.max !== undefined && fields.length >= Number(attribute.max);
  const add = (uid: unknown, __component?: string) => place(fields.length, newEntry(model, uid, __component));
  const choices = attribute.components?.map((uid) => ({
    label: model.components.get(uid)?.name ?? uid,
    onSelect: () => add(uid, uid),
  }));
  const button = (
    <Button
      label={choices ? text('Add component') : text('Add entry')}
      icon="add"
      disabled={isFull}
      onClick={choices ? undefined : () => add(attribute.component)}
    />
  );
  return (
    <Field {...field} isGroup aside={<span className="badge">{fields.length}</span>}>
      <SortableList ids={[...keys]} onMove={moveTo}>
        {fields.map((entry, index) => {
          const uid = String(componentOf(attribute, entry));
          const label = `${labelOf(props.name)} ${index + 1}`;
          const at = joinPath(path, index);
          const key = keys[index] ?? '';
          return (
            <SortableItem key={key} id={key} label={label} className="sortable">
              <Entry
                path={at}
                uid={uid}
                owner={owner}
                place={index + 1}
                startsOpen={false}
                isNew={key === added.current}
                actions={
                  <>
                    <IconButton
                      icon="copy"
                      label={text('Duplicate {name}', { name: label })}
                      disabled={isFull}
                      onClick={() => copy(index)}
                    />
                    <IconButton
                      icon="trash"
                      label={text('Remove {name}', { name: label })}
                      onClick={() => drop(index)}
                    />
                  </>
                }
              >
                <ComponentInputs uid={uid} path={at} owner={owner} />
              </Entry>
            </SortableItem>
          );
        })}
      </SortableList>
      <div className="row">{choices ? <Menu trigger={button} items={choices} /> : button}</div>
    </Field>
  );
}

/** A list that the API does not show. */
const UnseenList = (props: InputProps) => (
  <Field {...useField(props, text('not shown here; it stays as it is'))} isGroup />
);

function ListOrUnseen(props: InputProps) {
  const { getValues } = useFormContext();
  // A list of the form that has no value would get an empty one.
  return getValues(props.path) === undefined ? <UnseenList {...props} /> : <ListInput {...props} />;
}

const INPUTS: Readonly<Record<AttributeType, (props: InputProps) => ReactElement>> = {
  ...sameFor(['string', 'biginteger'], scalar.TextInput),
  text: scalar.AreaInput,
  email: scalar.EmailInput,
  password: scalar.PasswordInput,
  ...sameFor(['integer', 'decimal', 'float'], scalar.NumberInput),
  date: scalar.DateInput,
  time: scalar.TimeInput,
  datetime: scalar.DateTimeInput,
  json: scalar.JsonInput,
  richtext: scalar.MarkdownInput,
  boolean: scalar.SwitchInput,
  enumeration: scalar.ChoiceInput,
  uid: scalar.UidInput,
  blocks: scalar.BlocksInput,
  media: MediaInput,
  relation: RelationField,
  component: ComponentInput,
  dynamiczone: ListOrUnseen,
};

function ValueInput(props: InputProps) {
  const Input = isList(props.attribute) ? ListOrUnseen : INPUTS[props.attribute.type];
  return <Input {...props} />;
}

/** The input of one attribute. Others are not rendered again when it changes. */
const AttributeInput = memo((props: InputProps) =>
  isNeverShown(props.attribute) ? <HiddenInput {...props} input={ValueInput} /> : <ValueInput {...props} />,
);
