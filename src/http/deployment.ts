/**
 * @module The deployment, and its parts: what a Worker has only if the settings of its project switch it on.
 */
import { withNamedActions } from '../access/actions.ts';
import type { PreviewReader } from '../content/credentials/credential.ts';
import { type Caches, createCaches } from '../content/runtime/caches.ts';
import type { OperationPart, SystemCall } from '../content/runtime/call.ts';
import type { DocumentCall } from '../content/runtime/content-call.ts';
import type { PartDescription } from '../features/description/granted-operation.ts';
import type { Folders, UploadCall } from '../features/files/call.ts';
import type { FileSource } from '../features/files/serve.ts';
import type { AnyExtensions } from '../features/own-code/extension-types.ts';
import { rejectUnknown } from '../features/own-code/hooks.ts';
import type { EmailSender } from '../features/users/email.ts';
import type { Registry } from '../schema/model.ts';
import type { DocumentAction } from '../schema/publication.ts';
import type { Settings } from '../schema/settings/config.ts';
import type { App, AppContext } from './context.ts';

/** A call of the cron trigger. */
export type CronCall = SystemCall & Pick<Deployment, 'parts'>;

export type ActionHandler = (context: AppContext, call: DocumentCall, deployment: Deployment) => Promise<Response>;

/** Private files: where they are, and who may read them. */
export interface PrivateFiles {
  uploads(env: Env, settings: Settings): Pick<UploadCall, 'bucket' | 'privateFiles'>;
  /** Returns undefined for a public file. @throws ApiError 404 for callers who may not read it, 401 for an invalid credential */
  sourceOf(context: AppContext, deployment: Deployment, key: string): Promise<FileSource | undefined>;
}

/** `.edgewise/project.ts` imports the parts that are on; no other module of the Worker imports one. */
export interface Part extends OperationPart {
  /** Adds routes. */
  readonly addRoutes?: (app: App, deployment: Deployment) => void;
  /** Respond to actions of a document; the path of any other does not exist. */
  readonly actions?: Readonly<Partial<Record<DocumentAction, ActionHandler>>>;
  /** Responds to `GET …/history` and `GET …/history/:revision`; without it these paths do not exist. */
  readonly history?: (context: AppContext, call: DocumentCall, revision: string | undefined) => Promise<Response>;
  readonly readPreview?: PreviewReader;
  /** Responds to `GET /uploads/:key` with parameters of a picture; returns undefined for anything else. */
  readonly servePicture?: (
    context: AppContext,
    source: FileSource,
    settings: Settings,
  ) => Promise<Response | undefined>;
  readonly privateFiles?: PrivateFiles;
  readonly folders?: Folders;
  /** Runs at each cron trigger. @param report logs unexpected errors */
  readonly cron?: (call: CronCall, env: Env, report: (error: unknown) => void) => Promise<void>;
  readonly description?: PartDescription;
}

/** What requests and the cron trigger share. Only `createDeployment` makes one. */
export interface Deployment {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly parts: readonly Part[];
  /** Overrides the sender of the settings. */
  readonly emailSender?: EmailSender;
  readonly caches: Caches;
  /** Code of the project. */
  readonly extensions?: AnyExtensions;
}

/** Replaces patterns of roles by action ids. @throws Error for a hook of a type that is no content type of the project */
export function createDeployment(given: Omit<Deployment, 'caches'>): Deployment {
  const { registry, settings, extensions = {} } = given;
  rejectUnknown(extensions, registry);
  return { ...given, settings: withNamedActions(settings, registry), caches: createCaches(settings.memory) };
}
