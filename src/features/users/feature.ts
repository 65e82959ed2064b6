/**
 * @module Accounts and sessions: `/api/auth` and `/api/users`.
 */
import type { Feature } from '../../http/deployment.ts';
import { USERS } from './description.ts';
import { forgetNames } from './forget-names.ts';
import { addUserRoutes } from './routes.ts';

export const users: Feature = {
  isOn: () => true,
  addRoutes: addUserRoutes,
  cron: forgetNames,
  description: USERS,
};
