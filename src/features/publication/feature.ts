/**
 * @module Publication over REST: the actions of a document, at once or at a time to come.
 */

import type { Feature } from '../../http/deployment.ts';
import { PUBLICATION } from './description.ts';
import { addScheduleRoutes, PUBLICATION_HANDLERS } from './routes.ts';
import { runDue } from './schedule.ts';

export const publication: Feature = {
  isOn: ({ api }) => api.rest.publication,
  addRoutes: addScheduleRoutes,
  actions: PUBLICATION_HANDLERS,
  cron: (call, _, report) => runDue(call, report),
  description: PUBLICATION,
};
