/**
 * @module `/api/upload/folders`: the tree of folders, and what becomes of the files in it.
 */
import { requireGrant } from '../../../access/grants.ts';
import { forbidden, invalid, invalidKey } from '../../../common/errors.ts';
import { systemCurrent, systemWrite, type Target } from '../../../content/operations/system-rows.ts';
import { NO_LOCALE } from '../../../content/plan/model/versions.ts';
import { planDelete } from '../../../content/plan/write/plan-delete.ts';
import { planWrite } from '../../../content/plan/write/plan-write.ts';
import { type InputData, parseObject } from '../../../content/request/body.ts';
import { rowId } from '../../../content/request/plain-params.ts';
import type { Caller } from '../../../content/runtime/caller.ts';
import { withCredential } from '../../../content/runtime/caller.ts';
import { mapped, together } from '../../../content/sql/compiled.ts';
import { compileWrite } from '../../../content/sql/write/mutate.ts';
import { assertUnchangedRow } from '../../../content/sql/write/preconditions.ts';
import type { ContentType } from '../../../schema/model.ts';
import { FOLDER_UID, systemType } from '../../../schema/system-types.ts';
import { fileType, invalidKeyOf, isKnown, type UploadCall } from '../call.ts';
import { rejectPrivate } from '../file-info.ts';
import { deleteFilesJustLeft } from '../left-files.ts';
import { checkName } from '../names.ts';
import type { StoredFile } from '../sql/files.ts';
import type { StoredFolder } from '../sql/folders.ts';
import * as tree from '../sql/folders.ts';
import { foundFolder, namedFolders } from './files.ts';

type Action = 'find' | 'create' | 'update' | 'delete';

const withFolderGrant = <T>(call: UploadCall, action: Action, block: (caller: Caller) => Promise<T>): Promise<T> =>
  withCredential(call, { source: action === 'find' ? 'replica' : 'primary' }, async (caller) => {
    requireGrant(caller.grants, `${FOLDER_UID}.${action}`);
    return block(caller);
  });

const timeOf = (time: number): string => new Date(time).toISOString();
const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const shownFolder = (
  { isPrivate, createdAt, updatedAt, ...folder }: StoredFolder,
  parent: StoredFolder | undefined,
) => ({
  ...folder,
  private: isPrivate,
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
  parent: parent ? { id: parent.id, documentId: parent.documentId, name: parent.name } : null,
});

const bodyOf = (folder: StoredFolder, parent: StoredFolder | undefined) => ({
  data: shownFolder(folder, parent),
  meta: {},
});

/** All folders, in the order of their paths. */
export const listFolders = (call: UploadCall) =>
  withFolderGrant(call, 'find', async (caller) => {
    const { plainList: limit } = call.settings.api.rest.limits;
    const { folders } = await caller.read(tree.allFolders(limit + 1));
    if (folders.length > limit) throw invalid(`More than ${limit} folders (plainList)`);
    const byPath = new Map(folders.map((folder) => [folder.path, folder]));
    return { data: folders.map((folder) => shownFolder(folder, byPath.get(parentPath(folder.path)))), meta: {} };
  });

/** @throws ApiError 404 */
const folderOf = async ({ id }: Pick<UploadCall, 'id'>, caller: Caller): Promise<StoredFolder> =>
  foundFolder(await caller.read(tree.foldersById([rowId(id)])));

async function parentOf({ path }: StoredFolder, caller: Caller): Promise<StoredFolder | undefined> {
  const own = parentPath(path);
  if (own === '') return undefined;
  return (await caller.read(tree.foldersWithin(own, 1))).folders.find((folder) => folder.path === own);
}

export const findFolder = (call: UploadCall) =>
  withFolderGrant(call, 'find', async (caller) => {
    const folder = await folderOf(call, caller);
    return bodyOf(folder, await parentOf(folder, caller));
  });

interface FolderInput {
  readonly name?: string;
  /** null: at the top. */
  readonly parent?: number | null;
  readonly isPrivate?: boolean;
}

const KEYS = ['name', 'parent', 'private'];

/** @throws ApiError 400 */
async function inputOf(call: UploadCall): Promise<FolderInput> {
  const body = parseObject(await call.text(), call.contentType, call.settings.api.rest.limits);
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw invalidKey(unknown, null, { source: 'body' });
  const { name, parent, private: isPrivate } = body;
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) throw invalidKeyOf('name', 'a text');
  if (parent !== undefined && parent !== null && !Number.isInteger(parent))
    throw invalidKeyOf('parent', 'the id of a folder, or null');
  if (isPrivate !== undefined && typeof isPrivate !== 'boolean') throw invalidKeyOf('private', 'true or false');
  if (call.settings.upload.private === false) rejectPrivate({ private: isPrivate }, undefined);
  return {
    ...(name !== undefined && { name: checkName((name as string).trim()) }),
    ...(parent !== undefined && { parent: parent as number | null }),
    ...(isPrivate !== undefined && { isPrivate }),
  };
}

/** @throws ApiError 400 for an unknown folder */
async function placeOf(id: number | null, caller: Caller): Promise<StoredFolder | undefined> {
  if (id === null) return undefined;
  const [folder] = (await namedFolders([id], caller)).folders;
  if (!folder) throw invalidKeyOf('parent', 'the id of a folder, or null');
  return folder;
}

const folderType = ({ registry }: UploadCall) => systemType(registry, FOLDER_UID);

const unchanged = (call: UploadCall, folder: StoredFolder | undefined) =>
  folder ? [assertUnchangedRow(folderType(call), folder.id, folder.updatedAt)] : [];

/** Plans the row of a folder. Its name is free, and its parent is where it was. */
async function planFolder(
  call: UploadCall,
  caller: Caller,
  target: Target & { readonly id: number },
  parent: StoredFolder | undefined,
  name: string,
  data: InputData,
) {
  const found = await caller.read(tree.isNameTaken(name, parent, target.id));
  if (found.rows[0]?.taken) throw invalidKeyOf('name', 'one that no folder beside it has');
  const plan = planWrite(systemWrite(call, folderType(call), target, data), systemCurrent(target), caller.writeContext);
  const guards = [...unchanged(call, parent), ...found.unchanged];
  return { plan, statements: [...guards, ...compileWrite(plan)] };
}

const readBack = (documentId: string, parent: StoredFolder | undefined) =>
  mapped(tree.folderByDocumentId(documentId), (found) => bodyOf(foundFolder(found), parent));

/** @throws ApiError 400 for a name that is taken, and an unknown parent */
export const createFolder = (call: UploadCall) =>
  withFolderGrant(call, 'create', async (caller) => {
    const { name, parent: parentId = null, isPrivate = false } = await inputOf(call);
    if (name === undefined) throw invalidKeyOf('name', 'a text');
    const parent = await placeOf(parentId, caller);
    const next = await caller.read(tree.nextPathId());
    const pathId = Number(next.rows[0]?.next);
    const documentId = call.newDocumentId();
    const data = { name, pathId, path: tree.pathWithin(parent, pathId), isPrivate };
    const { plan, statements } = await planFolder(call, caller, { documentId, id: 0 }, parent, name, data);
    const guarded = [...next.unchanged, ...statements];
    return caller.write({ statements: guarded, effectsOf: plan, result: readBack(documentId, parent) });
  });

/** Changes name, place and privacy. What is below moves with it. @throws ApiError 400 for a place below itself, 404 */
export const updateFolder = (call: UploadCall) =>
  withFolderGrant(call, 'update', async (caller) => {
    const { parent: parentId, ...values } = await inputOf(call);
    const folder = await folderOf(call, caller);
    const parent = parentId === undefined ? await parentOf(folder, caller) : await placeOf(parentId, caller);
    if (`${parent?.path ?? ''}/`.startsWith(`${folder.path}/`))
      throw invalidKeyOf('parent', 'a folder that is not below itself');
    const path = tree.pathWithin(parent, folder.pathId);
    const data = { ...values, path };
    const { plan, statements } = await planFolder(call, caller, folder, parent, values.name ?? folder.name, data);
    const moves = path === folder.path ? [] : tree.moveWithin(folder.path, path, call.now);
    return caller.write({
      statements: [...unchanged(call, folder), ...statements, ...moves],
      effectsOf: plan,
      result: readBack(folder.documentId, parent),
    });
  });

/** Files of one read. */
const AT_ONCE = 1_000;

/**
 * Deletes a folder with the folders and files in it: all of them or none. Their objects go after the commit: some in the
 * request, the others by the cron trigger.
 * @throws ApiError 403 unless the caller may delete each file, 404
 */
export async function deleteFolder(call: UploadCall) {
  const deleted = await withFolderGrant(call, 'delete', async (caller) => {
    const folder = await folderOf(call, caller);
    const { path } = folder;
    const parent = await parentOf(folder, caller);
    const { folders, unchanged } = await caller.read(tree.foldersWithin(path, -1));
    const guards = [...unchanged];
    const all: Pick<StoredFile, 'id'>[] = [];
    for (let isFull = true; isFull; ) {
      const { files, unchanged } = await caller.read(tree.filesWithin(path, all.at(-1)?.id ?? 0, AT_ONCE));
      if (files.length > 0) requireGrant(caller.grants, 'plugin::upload.content-api.destroy');
      if (!files.every((file) => isKnown(file, call, caller))) throw forbidden();
      all.push(...files.map(({ id }) => ({ id })));
      guards.push(...unchanged);
      isFull = files.length === AT_ONCE;
    }
    const planOf = (type: ContentType, rows: readonly { readonly id: number }[]) =>
      rows.length > 0
        ? planDelete({ kind: 'ids', type, ids: rows.map(({ id }) => id), locale: NO_LOCALE }, call.registry)
        : [];
    const plan = [...planOf(fileType(call), all), ...planOf(folderType(call), folders)];
    const statements = [...guards, tree.leaveFilesWithin(path), ...compileWrite(plan)];
    await caller.write({ statements, effectsOf: plan, result: together([]) });
    return bodyOf(folder, parent);
  });
  await deleteFilesJustLeft(call, 'all');
  return deleted;
}
