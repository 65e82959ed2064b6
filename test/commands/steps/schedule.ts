/**
 * @module Time passes: the schedules that are seen are carried out, on the documents that they name and on no others.
 */
import { SCHEDULE_TABLE } from '../../../src/schema/names.ts';
import { uidOf } from '../../generators/models.ts';
import { idsIn, linesOf, type NewStep, same } from './step.ts';

export const timePasses: NewStep = (model) => ({
  title: 'all schedules become due',
  lines: [],
  async finish(project, before) {
    await project.serve(async ({ storage: { db }, runCron }) => {
      await db.prepare(`update "${SCHEDULE_TABLE}" set "at" = 1 where "at" is not null`).run();
      await runCron();
    });
    const after = await project.look(model);
    const due = linesOf(before.schedules).filter(({ at }) => at !== null);
    const wrong = due.flatMap(({ type, document_id: documentId, locale, action }) => {
      const isThere = linesOf(after[`${type} published`]).some(
        (row) => (documentId === '' || row.documentId === documentId) && (row.locale ?? '') === locale,
      );
      return isThere === (action === 'publish') ? [] : [`${action} of ${documentId} ${locale} was not done`];
    });
    // Nothing else is published, or changed.
    for (const type of model.types) {
      const named = new Set(due.flatMap((row) => (row.type === uidOf(type) ? [row.document_id] : [])));
      if (named.has('')) continue;
      const others = (text: string | undefined) =>
        idsIn(text)
          .filter((id) => !named.has(id))
          .toSorted()
          .join();
      const subject = `${uidOf(type)} published`;
      const [was, is] = [others(before[subject]), others(after[subject])];
      if (was !== is) wrong.push(`${subject} has changed from ${was} to ${is}`);
    }
    return wrong;
  },
  expected: same,
});
