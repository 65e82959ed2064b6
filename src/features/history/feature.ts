/**
 * @module History: the former versions of documents, and their restoration.
 */

import type { Feature } from '../../http/deployment.ts';
import { HISTORY } from './description.ts';
import { historyNotices } from './keep-versions.ts';
import { pruneHistory } from './prune.ts';
import { addHistoryRoute, respondHistory, respondRestore } from './routes.ts';

export const history: Feature = {
  isOn: ({ history }) => history !== null,
  addRoutes: addHistoryRoute,
  notices: historyNotices,
  history: respondHistory,
  actions: { restore: respondRestore },
  cron: pruneHistory,
  description: HISTORY,
};
