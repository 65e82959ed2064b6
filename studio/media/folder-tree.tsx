/**
 * @module The tree of folders beside the library, and the way to the folder that is shown.
 */
import { text } from '../texts/text.ts';
import { Icon } from '../ui/button.tsx';
import {
  dragged,
  dropTarget,
  type Folder,
  isWithin,
  type Moved,
  ROOT,
  useFolderRights,
  useFolders,
  useMove,
} from './folders.ts';

export interface PlaceProps {
  /** What is shown: the id of a folder, `root`, or nothing for all files. */
  readonly current: string | undefined;
  readonly onOpen: (folder: string) => void;
  readonly onMove: () => void;
}

interface FolderLinkProps extends PlaceProps {
  /** Undefined: all files. `root`: those in no folder. */
  readonly folder: Folder | 'root' | undefined;
}

/** Opens a folder, and takes what is dropped on it. */
function FolderLink({ folder, current = '', onOpen, onMove }: FolderLinkProps) {
  const { mayUpdate, mayMoveFiles } = useFolderRights();
  const move = useMove();
  const isFolder = typeof folder === 'object';
  const id = isFolder ? String(folder.id) : (folder ?? '');
  const drop = (moved: Moved) => {
    if (moved.folder === undefined ? !mayMoveFiles : moved.folder === Number(id)) return;
    onMove();
    void move(moved, Number(id) || null);
  };
  return (
    <button
      type="button"
      className={`row nowrap nav-entry folder ${id === current ? 'active' : ''}`}
      aria-current={id === current}
      onClick={() => onOpen(id)}
      {...(folder && dropTarget(drop))}
      {...(isFolder && mayUpdate && dragged({ folder: folder.id }))}
    >
      <Icon name="folder" />
      <span className="ellipsis">{isFolder ? folder.name : text(folder ? 'Unsorted' : 'All files')}</span>
      {isFolder && folder.private && <span className="badge">{text('Private')}</span>}
    </button>
  );
}

/** From this number on, only the folders on the way to the shown one are open. */
const MANY_FOLDERS = 40;

function Branch({ parent, ...rest }: PlaceProps & { readonly parent?: Folder }) {
  const { folders, wayTo } = useFolders();
  const way = wayTo(rest.current);
  const isOpen = (folder: Folder) => folders.length <= MANY_FOLDERS || way.includes(folder);
  return (
    <ul className="plain">
      {folders
        .filter((folder) => folder.parent?.id === parent?.id)
        .map((folder) => (
          <li key={folder.id}>
            <FolderLink folder={folder} {...rest} />
            {isOpen(folder) && folders.some((other) => other !== folder && isWithin(other, folder)) && (
              <Branch parent={folder} {...rest} />
            )}
          </li>
        ))}
    </ul>
  );
}

export const FolderTree = (props: PlaceProps) => (
  <nav className="folder-tree" aria-label={text('Folders')}>
    <FolderLink folder={undefined} {...props} />
    <FolderLink folder={ROOT} {...props} />
    <Branch {...props} />
  </nav>
);

/** The folders from the top to the shown one. */
export function Breadcrumb(props: PlaceProps) {
  const way = useFolders().wayTo(props.current);
  if (way.length === 0) return null;
  return (
    <nav aria-label={text('Place')}>
      <ol className="row breadcrumb">
        {[undefined, ...way].map((folder) => (
          <li key={folder?.id ?? ''}>
            <FolderLink folder={folder} {...props} />
          </li>
        ))}
      </ol>
    </nav>
  );
}
