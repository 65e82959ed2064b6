/**
 * @module History: the former versions of documents, and their restoration.
 */
import { HISTORY } from '../describe/openapi-history.ts';
import { historyNotices } from '../history/notices.ts';
import { pruneHistory } from '../history/prune.ts';
import type { Part } from '../routes/deployment.ts';
import { respondHistory, respondRestore } from '../routes/history.ts';

export const history: Part = {
  notices: historyNotices,
  history: respondHistory,
  actions: { restore: respondRestore },
  cron: pruneHistory,
  description: HISTORY,
};
