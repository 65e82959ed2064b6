/**
 * @module The Worker of this project.
 */
import { registry, settings } from '../.edgewise/project.ts';
import { createWorker } from './worker.ts';

export default createWorker(registry, settings);
