/**
 * @module Pictures on request: `GET /uploads/:key?w=640`.
 */
import { PICTURES } from '../describe/openapi-pictures.ts';
import type { Part } from '../routes/deployment.ts';
import { servePicture } from '../routes/pictures.ts';
import { deletePictures } from '../upload/made-pictures.ts';
import { readVariant } from '../upload/picture-params.ts';

export const pictures: Part = {
  servePicture,
  dropPictures: deletePictures,
  checkPicture: readVariant,
  description: PICTURES,
};
