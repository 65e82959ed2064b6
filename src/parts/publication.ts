/**
 * @module Publication over REST: the actions of a document, at once or at a time to come.
 */
import { PUBLICATION } from '../describe/openapi-publication.ts';
import { runDue } from '../operations/schedule.ts';
import type { Part } from '../routes/deployment.ts';
import { addScheduleRoutes, PUBLICATION_HANDLERS } from '../routes/publication.ts';

export const publication: Part = {
  addRoutes: addScheduleRoutes,
  actions: PUBLICATION_HANDLERS,
  cron: (call, _, report) => runDue(call, report),
  description: PUBLICATION,
};
