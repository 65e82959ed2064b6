/**
 * @module Folders of the media library, and moving files and folders into them.
 */
import type { DragEvent } from 'react';
import { type ResponseBody, request, useRead } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { mayChange, PAGE_PATH } from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import { changeFile, useRefresh } from './change-file.ts';

export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly private: boolean;
  readonly parent: { readonly id: number } | null;
}

const FOLDERS_PATH = '/api/upload/folders';
/** Files in no folder. */
export const ROOT = 'root';

/** @param folder an id, `root`, or nothing for all files */
export const filesPath = (folder: string | undefined): string =>
  folder ? `${FOLDERS_PATH}/${folder}/files` : PAGE_PATH;

/** Returns what an upload into a folder says. */
export const infoFor = (folder: string | undefined) => (Number(folder) ? { info: { folder: Number(folder) } } : {});

export type FolderInput = Partial<Pick<Folder, 'name' | 'private'>> & { readonly parent?: number | null };

const inputOf = ({ name, parent, private: isPrivate }: Folder): FolderInput => ({
  name,
  parent: parent?.id ?? null,
  private: isPrivate,
});

/** Returns the values that are others than those of a folder. */
export function changesOf(input: FolderInput, folder: Folder): FolderInput {
  const stored = inputOf(folder);
  const changes = Object.entries(input).filter(([name, value]) => value !== stored[name as keyof FolderInput]);
  return Object.fromEntries(changes);
}

/** Whether two versions of a folder differ in what is changed. */
export const isOther = (changes: FolderInput, one: Folder, other: Folder): boolean =>
  Object.keys(changesOf(inputOf(one), other)).some((name) => Object.hasOwn(changes, name));

/** Reads a folder and those in it as they are now; none where it is gone. The folder comes first. */
export async function readWithin(id: number): Promise<readonly Folder[]> {
  const { body } = await request<ResponseBody<readonly Folder[]>>(FOLDERS_PATH);
  const folder = body.data.find((each) => each.id === id);
  return folder ? [folder, ...body.data.filter((each) => each !== folder && isWithin(each, folder))] : [];
}

/** Creates a folder, or changes one. */
export const saveFolder = (id: number | undefined, body: FolderInput) =>
  request<ResponseBody<Folder>>(id === undefined ? FOLDERS_PATH : `${FOLDERS_PATH}/${id}`, {
    method: id === undefined ? 'POST' : 'PUT',
    body,
  });

export const deleteFolder = (id: number) => request(`${FOLDERS_PATH}/${id}`, { method: 'DELETE' });

export const isWithin = (folder: Folder, other: Folder): boolean => `${folder.path}/`.startsWith(`${other.path}/`);

/** What the server has, and what the caller may do. */
export function useFolderRights() {
  const model = useModel();
  const hasFolders = model.may('get', FOLDERS_PATH);
  const one = `${FOLDERS_PATH}/{id}`;
  return {
    hasFolders,
    mayCreate: model.may('post', FOLDERS_PATH),
    mayUpdate: model.may('put', one),
    mayDelete: model.may('delete', one),
    mayMoveFiles: hasFolders && mayChange(model),
  };
}

/** The folders by name, and the rights. Without the right to see folders the list is empty. */
export function useFolders() {
  const rights = useFolderRights();
  const { data } = useRead<ResponseBody<readonly Folder[]>>(FOLDERS_PATH, {}, rights.hasFolders);
  const folders = data?.data ?? [];
  /** From the top down to the folder. */
  const wayTo = (id: string | undefined) => {
    const folder = folders.find((each) => String(each.id) === id);
    return folder ? folders.filter((each) => isWithin(folder, each)).sort((a, b) => a.path.length - b.path.length) : [];
  };
  return {
    ...rights,
    /** Whether it is known what there is. */
    isKnown: data !== undefined || !rights.hasFolders,
    folders: folders.toSorted((a, b) => a.name.localeCompare(b.name)),
    wayTo,
  };
}

/** What one drags. */
export interface Moved {
  readonly files?: readonly number[];
  readonly folder?: number;
}

/** Returns what moves files or a folder; null is the place outside of all folders. */
export function useMove() {
  const refresh = useRefresh();
  return async ({ files = [], folder }: Moved, to: number | null) => {
    const moves = files.map((id) => () => changeFile(id, { folder: to }) as Promise<unknown>);
    if (folder !== undefined) moves.push(() => saveFolder(folder, { parent: to }));
    const isSamePerson = personCheck();
    let left = moves.length;
    let reason: unknown;
    // One after the other. What cannot be moved does not keep back the rest.
    for (const move of moves) {
      if (!isSamePerson()) break;
      try {
        await move();
        left -= 1;
      } catch (error) {
        reason ??= error;
      }
    }
    if (left < moves.length) notify(text('Moved'));
    if (left > 0) notifyError(text('{count} not moved', { count: left }), reason ?? text('The session has ended.'));
    await refresh();
  };
}

const DRAGGED = 'application/x-edgewise-moved';

/** Attributes of what can be dragged into a folder. */
export const dragged = (moved: Moved) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.stopPropagation();
    event.dataTransfer.setData(DRAGGED, JSON.stringify(moved));
  },
});

/** Attributes of what takes files and folders. */
export function dropTarget(onDrop: (moved: Moved) => void) {
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    event.currentTarget.toggleAttribute('data-over', event.type === 'dragover');
    if (event.type === 'drop') onDrop(JSON.parse(event.dataTransfer.getData(DRAGGED)));
  };
  return { onDragOver: over, onDragLeave: over, onDrop: over };
}
