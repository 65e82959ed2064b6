/**
 * @module Private files: bytes in a bucket of their own, and signed addresses.
 */
import { PRIVATE_FILES } from '../describe/openapi-private-files.ts';
import type { Part } from '../routes/deployment.ts';
import { addSignRoute, privateFiles } from '../routes/private-files.ts';
import { windowAt } from '../upload/private/address.ts';
import { signerOf } from '../upload/private/signer.ts';

export const privacy: Part = {
  addRoutes: addSignRoute,
  privateFiles,
  addresses: { signer: signerOf, window: windowAt },
  description: PRIVATE_FILES,
};
