/**
 * @module Signs the addresses of the private files in a response. Only files: an address that a text of a document has
 * stays as it is, else its author could read any file.
 */
import { isObject, type JsonObject } from '../../../common/json.ts';
import type { Document } from '../../../content/document/document.ts';
import type { Populate, ReadPlan, Selection } from '../../../content/plan/model/read-plan.ts';
import { FILE_UID } from '../../../schema/system-types.ts';
import { isPrivateKey } from '../names.ts';
import { type Signing, signInWindow } from './signed-address.ts';

type Sign = (address: string) => string;
/** Changes an object of a response in place. */
type Visit = (object: Document) => void;

const OWN_ADDRESS = /^\/uploads\/[\w.-]+$/;

function signUrl(object: Document, sign: Sign): void {
  const { url } = object;
  // A file that is shown twice is signed once.
  if (typeof url === 'string' && OWN_ADDRESS.test(url) && isPrivateKey(url)) object.url = sign(url);
}

const fileVisitor =
  (sign: Sign): Visit =>
  (file) => {
    signUrl(file, sign);
    for (const format of Object.values(isObject(file.formats) ? file.formats : {}))
      if (isObject(format)) signUrl(format as Document, sign);
  };

function targetVisitor(uid: string | undefined, selection: Selection, sign: Sign): Visit | undefined {
  return uid === FILE_UID ? fileVisitor(sign) : visitorOf(selection, sign);
}

/** Returns a visitor that asks each object for its own by the value of a key. */
function visitorByType(key: string, types: readonly (readonly [uid: string, visit: Visit | undefined])[]) {
  const visits = new Map(types);
  return ![...visits.values()].some((visit) => visit)
    ? undefined
    : (object: JsonObject) => visits.get(String(object[key]))?.(object as Document);
}

function nodeVisitor(node: Populate, sign: Sign): Visit | undefined {
  switch (node.kind) {
    case 'related':
      return undefined;
    case 'dynamiczone':
      return visitorByType(
        '__component',
        [...node.parts].map(([uid, part]) => [uid, visitorOf(part, sign)] as const),
      );
    case 'polymorphic':
      return visitorByType(
        '__type',
        node.parts.map((part) => {
          const { uid } = part.kind === 'link' ? part.link.target : part.target;
          return [uid, targetVisitor(uid, part.selection, sign)] as const;
        }),
      );
    case 'link':
      return targetVisitor(node.link.target.uid, node.selection, sign);
    case 'reference':
      return targetVisitor(node.target.uid, node.selection, sign);
    default:
      return visitorOf(node.selection, sign);
  }
}

/** Returns undefined for a selection that leads to no file. */
function visitorOf({ populate }: Selection, sign: Sign): Visit | undefined {
  const visits = populate.flatMap((node) => {
    const visit = nodeVisitor(node, sign);
    return visit ? [[node.name, visit] as const] : [];
  });
  if (visits.length === 0) return undefined;
  return (document) => {
    for (const [name, visit] of visits)
      for (const object of [document[name]].flat()) if (isObject(object)) visit(object as Document);
  };
}

/** Returns a function to call with each document of a response; undefined for a plan that leads to no file. */
export const signerOf = ({ type, selection }: ReadPlan, signing: Signing): Visit | undefined =>
  targetVisitor(type.uid, selection, (address) => signInWindow(address, signing));
