/**
 * @module Tools for agents: `POST /mcp`.
 */
import type { Part } from '../../http/deployment.ts';
import { addToolRoutes } from './routes.ts';

export const mcp: Part = { addRoutes: addToolRoutes };
