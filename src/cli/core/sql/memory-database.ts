/**
 * @module A database in memory for statements of a project's files: they can reach no file of the machine.
 */
import { DatabaseSync } from 'node:sqlite';

/** Refuses ATTACH, and so `VACUUM INTO`, which attaches its file. */
export const openMemory = (): DatabaseSync => new DatabaseSync(':memory:', { limits: { attach: 0 } });
