/**
 * @module Pictures on request: `GET /uploads/:key?w=640`.
 */

import type { Feature } from '../../../http/deployment.ts';
import { PICTURES } from './description.ts';

export const pictures: Feature = {
  isOn: ({ upload }) => upload.widths.length > 0,
  description: PICTURES,
};
