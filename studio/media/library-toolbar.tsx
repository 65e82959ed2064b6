/**
 * @module The one line of controls above the files of the library.
 */
import * as files from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { type Text, text, textsOf } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { DelayedInput, Field, Select } from '../ui/inputs.tsx';
import { Popover } from '../ui/popover.tsx';
import { FolderSelect } from './folder-dialogs.tsx';
import { useFolderRights } from './folders.ts';
import { CONDITIONS, SIZES, SORTS, TIMES, type View } from './library-query.ts';

export interface ToolbarProps {
  readonly view: View;
  /** The kinds that may be shown at all. */
  readonly kinds: readonly files.Kind[];
  readonly onChange: (changes: View) => void;
}

const FILTERS = ['kind', 'only', 'size', 'days'] as const;

function Filters({ view, kinds, onChange }: ToolbarProps) {
  const model = useModel();
  const conditions = Object.entries(CONDITIONS).filter(
    ([name]) => (name !== 'unused' || files.mayDelete(model)) && (name !== 'private' || files.hasPrivate(model)),
  );
  const select = (name: (typeof FILTERS)[number], label: Text, none: Text, options: Readonly<Record<string, Text>>) => (
    <Field id={`files-${name}`} label={text(label)}>
      <Select
        id={`files-${name}`}
        label={text(label)}
        value={view[name]}
        options={textsOf(options)}
        none={text(none)}
        onChange={(value) => onChange({ page: '', [name]: value })}
      />
    </Field>
  );
  const count = FILTERS.filter((name) => view[name]).length;
  const none = Object.fromEntries(FILTERS.map((name) => [name, '']));
  return (
    <Popover
      label={text('Filters')}
      trigger={
        <Button
          label={count > 0 ? text('Filters ({count})', { count }) : text('Filters')}
          icon="filter"
          className={count > 0 ? 'current' : ''}
        />
      }
    >
      <div className="stack">
        {kinds.length > 1 &&
          select('kind', 'Kind', 'All kinds', Object.fromEntries(kinds.map((one) => [one, files.KINDS[one]])))}
        {select('only', 'State', 'Any state', Object.fromEntries(conditions))}
        {select('size', 'Size', 'Any size', SIZES)}
        {select('days', 'Time', 'Any time', TIMES)}
        {count > 0 && (
          <Button label={text('Clear the filters')} look="quiet" onClick={() => onChange({ page: '', ...none })} />
        )}
      </div>
    </Popover>
  );
}

export function LibraryToolbar(props: ToolbarProps) {
  const { view, onChange } = props;
  const { hasFolders } = useFolderRights();
  const isList = view.look === 'list';
  const set = (name: keyof View) => (value: string) => onChange({ page: '', [name]: value });
  return (
    <search className="row library-toolbar">
      <DelayedInput type="search" label={text('Search files')} value={view.q ?? ''} onCommit={set('q')} />
      {hasFolders && (
        <span data-folders>
          <FolderSelect
            label={text('Folder')}
            value={view.folder}
            none={text('All files')}
            hasRoot
            onChange={set('folder')}
          />
        </span>
      )}
      <Filters {...props} />
      <Select
        label={text('Sort')}
        value={view.sort}
        options={textsOf(SORTS)}
        none={text('Newest first')}
        onChange={set('sort')}
      />
      <IconButton
        icon={isList ? 'image' : 'list'}
        label={text(isList ? 'Show a grid' : 'Show a list')}
        className="end"
        onClick={() => onChange({ look: isList ? '' : 'list' })}
      />
    </search>
  );
}
