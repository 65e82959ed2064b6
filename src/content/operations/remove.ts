/**
 * @module `DELETE` of a document in one locale, or in all with `locale=*`. Deleting nothing is no error.
 */
import { actionId, requireGrant } from '../../access/grants.ts';
import { planDelete, rowsToDelete } from '../plan/write/plan-delete.ts';
import { parseQueryParams } from '../request/query-params.ts';
import { readerOf } from '../runtime/call.ts';
import { withCredential } from '../runtime/caller.ts';
import type { DocumentCall } from '../runtime/content-call.ts';
import { type Compiled, constant, together } from '../sql/compiled.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { type Chosen, compileChosen } from '../sql/write/preconditions.ts';
import { readRule, writeCheck } from './grant-check.ts';

/** The block may run ten times: it changes nothing before `caller.write`. */
export const remove = (call: DocumentCall): Promise<void> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { type, document, registry } = call;
    requireGrant(caller.grants, actionId(type.uid, 'delete'));
    const params = parseQueryParams(call.query(), 'write', call.settings);
    const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
    const { rows, chosen } = rowsToDelete(params, type, document, reader);
    const check = writeCheck(call, caller, 'delete', rows.locale);
    const choice: Compiled<Partial<Chosen>> = chosen ? compileChosen(chosen) : constant({});
    const [checked, { ids, unchanged = [] }] = await caller.read(together([check, choice]));
    const plan = checked.isHidden ? [] : planDelete(ids ? { ...rows, kind: 'idsOfDocument', ids } : rows, registry);
    const statements = [...checked.guards(), ...unchanged, ...compileWrite(plan)];
    await caller.write({ statements, result: constant(undefined), effectsOf: plan });
  });
