/**
 * @module Files in folders.
 */
import { invalid, notFound } from '../../../common/errors.ts';
import type { Condition } from '../../../content/plan/model/read-plan.ts';
import { rowId } from '../../../content/request/plain-params.ts';
import type { Caller } from '../../../content/runtime/caller.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { FOLDER_UID } from '../../../schema/system-types.ts';
import { fileType, type UploadCall } from '../call.ts';
import type { FileInfo } from '../file-info.ts';
import { pageOfFiles } from '../read-files.ts';
import { type FoundFolders, foldersById, type StoredFolder } from '../sql/folders.ts';

/** The folder of files without one. */
const ROOT = '/';

/** @param folder as a body names it: a number, or its digits */
const idOf = (folder: unknown): number => rowId(Array.isArray(folder) ? '' : String(folder));

/** Reads the folders that a request names. Without the right to find folders, they do not exist for the caller. */
export const namedFolders = (ids: readonly number[], caller: Caller) =>
  caller.read(foldersById(caller.grants.allows(`${FOLDER_UID}.find`) ? ids : []));

/** @throws ApiError 404 */
export function foundFolder({ folders: [folder] }: FoundFolders): StoredFolder {
  if (!folder) throw notFound('folder not found');
  return folder;
}

/** Infos with the paths of the folders that they name. */
interface PlacedInfos {
  readonly infos: readonly FileInfo[];
  /** Abort the batch if a folder has gone, was moved, or is no longer as private as it was. */
  readonly guards: readonly Statement[];
}

/** New files of a private folder are private. @throws ApiError 400 for an unknown folder */
export async function placeInFolders(
  infos: readonly FileInfo[],
  { settings }: UploadCall,
  caller: Caller,
  isNew: boolean,
): Promise<PlacedInfos> {
  if (!settings.upload.folders) return { infos, guards: [] };
  const named = infos.flatMap(({ folder }) => (folder === undefined || folder === null ? [] : [idOf(folder)]));
  const { folders: found, unchanged } =
    named.length > 0 ? await namedFolders(named, caller) : { folders: [], unchanged: [] };
  const placed = infos.map(({ folder: id, ...info }) => {
    if (id === undefined) return info;
    if (id === null) return { ...info, folderPath: ROOT };
    const folder = found.find((each) => each.id === idOf(id));
    if (!folder)
      throw invalid('Invalid fileInfo.folder. Expected the id of a folder, or null', {
        key: 'folder',
        source: 'body',
      });
    return {
      ...info,
      folderPath: folder.path,
      private: info.private ?? (isNew && folder.isPrivate ? true : undefined),
    };
  });
  return { infos: placed, guards: unchanged };
}

/** `GET /api/upload/folders/:id/files`: those right in it; `root` for those in no folder. @throws ApiError 404 */
export const filesOfFolder = (call: UploadCall) =>
  pageOfFiles(call, async (caller): Promise<Condition> => {
    const attribute = fileType(call).attributes.get('folderPath') as ScalarAttribute;
    const isAt = (path: string) => ({ kind: 'compare', attribute, operator: '$eq', operands: [path] }) as const;
    if (call.id === 'root') return { kind: 'or', conditions: [{ kind: 'null', attribute, is: true }, isAt(ROOT)] };
    return isAt(foundFolder(await namedFolders([rowId(call.id)], caller)).path);
  });
