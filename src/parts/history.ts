/**
 * @module History: the former versions of documents, and their restoration.
 */
import { HISTORY } from '../describe/openapi-history.ts';
import { historyNotices } from '../history/keep-versions.ts';
import { pruneHistory } from '../history/prune.ts';
import type { Part } from '../routes/deployment.ts';
import { addHistoryRoute, respondHistory, respondRestore } from '../routes/history.ts';

export const history: Part = {
  addRoutes: addHistoryRoute,
  notices: historyNotices,
  history: respondHistory,
  actions: { restore: respondRestore },
  cron: pruneHistory,
  description: HISTORY,
};
