/**
 * @module Private files: bytes in a bucket of their own, and signed addresses.
 */

import type { Feature } from '../../../http/deployment.ts';
import { PRIVATE_FILES } from './description.ts';
import { addSignRoute } from './routes.ts';
import { signerOf } from './sign-response.ts';
import { windowAt } from './signed-address.ts';

export const privacy: Feature = {
  isOn: ({ upload }) => upload.private !== false,
  addRoutes: addSignRoute,
  addresses: { signer: signerOf, window: windowAt },
  description: PRIVATE_FILES,
};
