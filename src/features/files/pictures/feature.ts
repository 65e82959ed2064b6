/**
 * @module Pictures on request: `GET /uploads/:key?w=640`.
 */

import type { Feature } from '../../../http/deployment.ts';
import { PICTURES } from './description.ts';
import { deletePictures } from './made-pictures.ts';
import { readVariant } from './picture-params.ts';
import { servePicture } from './routes.ts';

export const pictures: Feature = {
  isOn: ({ upload }) => upload.widths.length > 0,
  servePicture,
  dropPictures: deletePictures,
  checkPicture: readVariant,
  description: PICTURES,
};
