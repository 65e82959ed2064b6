/**
 * @module The features of a Worker, in the order in which their hooks run. Settings switch most of them on.
 */

import { description } from './features/description/feature.ts';
import type { FeatureDescription } from './features/description/granted-operation.ts';
import { files } from './features/files/feature.ts';
import { folders } from './features/files/folders/feature.ts';
import { pictures } from './features/files/pictures/feature.ts';
import { privacy } from './features/files/private/feature.ts';
import { history } from './features/history/feature.ts';
import { mcp } from './features/mcp/feature.ts';
import { oauth } from './features/oauth/feature.ts';
import { preview } from './features/preview/feature.ts';
import { publication } from './features/publication/feature.ts';
import { access } from './features/users/access/feature.ts';
import { users } from './features/users/feature.ts';
import { providers } from './features/users/providers/feature.ts';
import { webhooks, withoutWebhooks } from './features/webhooks/feature.ts';
import type { Feature } from './http/deployment.ts';
import type { Settings } from './schema/settings/config.ts';

const FEATURES: readonly Feature[] = [
  description,
  providers,
  access,
  users,
  files,
  publication,
  preview,
  history,
  mcp,
  oauth,
  pictures,
  folders,
  privacy,
  webhooks,
  withoutWebhooks,
];

/** Returns the features that are on. */
export const featuresOf = (settings: Settings): readonly Feature[] => FEATURES.filter(({ isOn }) => isOn(settings));

export const descriptionsOf = (settings: Settings): readonly FeatureDescription[] =>
  featuresOf(settings).flatMap(({ description }) => description ?? []);
