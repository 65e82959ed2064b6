/**
 * @module The deployment, and its features: what it has only if its settings switch it on.
 */
import type { PreviewReader } from '../content/credentials/credential.ts';
import type { Claims } from '../content/credentials/jwt.ts';
import type { Caches } from '../content/runtime/caches.ts';
import type { Hooks, OperationFeature, SystemCall } from '../content/runtime/call.ts';
import type { DocumentCall } from '../content/runtime/content-call.ts';
import type { FeatureDescription } from '../features/description/granted-operation.ts';
import type { AnyExtensions } from '../features/own-code/extension-types.ts';
import type { EmailSender } from '../features/users/email.ts';
import type { Registry } from '../schema/model.ts';
import type { DocumentAction } from '../schema/publication.ts';
import type { Settings } from '../schema/settings/config.ts';
import type { App, AppContext } from './context.ts';

export type ActionHandler = (context: AppContext, call: DocumentCall, deployment: Deployment) => Promise<Response>;

/** Clients of OAuth, which call tools for users. */
export interface ToolClients {
  /** Returns who the token of a header stands for; undefined for other tokens. @throws ApiError 401 for an invalid one */
  read(header: string | undefined, secret: string | undefined, now: number): Promise<Claims | undefined>;
  /** Returns the header `WWW-Authenticate` of a 401, which says where a client can sign in. */
  challenge(context: AppContext, deployment: Deployment): string;
}

/** `features.ts` lists them; no other module of the Worker imports one. */
export interface Feature extends OperationFeature {
  readonly isOn: (settings: Settings) => boolean;
  /** Does it stream the body of a request to this path, with limits of its own? */
  readonly streams?: (path: string) => boolean;
  /** Adds routes. */
  readonly addRoutes?: (app: App, deployment: Deployment) => void;
  /** Respond to actions of a document; the path of any other does not exist. */
  readonly actions?: Readonly<Partial<Record<DocumentAction, ActionHandler>>>;
  /** Responds to `GET …/history` and `GET …/history/:revision`; without it these paths do not exist. */
  readonly history?: (context: AppContext, call: DocumentCall, revision: string | undefined) => Promise<Response>;
  readonly readPreview?: PreviewReader;
  readonly toolClients?: ToolClients;
  /** Paths whose responses pages of every origin may read, without the credentials of the browser. */
  readonly openPaths?: readonly string[];
  /** Runs at each cron trigger. @param report logs unexpected errors */
  readonly cron?: (call: SystemCall, env: Env, report: (error: unknown) => void) => Promise<void>;
  readonly description?: FeatureDescription;
}

/** What requests and the cron trigger share. Only `createDeployment` (`src/deployment.ts`) makes one. */
export interface Deployment {
  readonly registry: Registry;
  readonly settings: Settings;
  /** Those that the settings switch on, in the order in which their hooks run. */
  readonly features: readonly Feature[];
  /** Overrides the sender of the settings. */
  readonly emailSender?: EmailSender;
  readonly caches: Caches;
  /** Does a 401 or 403 say what is missing, since `npm run dev` has bundled the Worker? */
  readonly explainsRights?: boolean;
  /** Code of the project. */
  readonly extensions?: AnyExtensions;
  /** Returns its hooks; undefined without any. */
  readonly hooksOf: (env: Env) => Hooks | undefined;
}
