import { createWorker } from 'edgewise';
import { registry, settings } from '../.edgewise/project.ts';

export default createWorker(registry, settings);
