/**
 * @module Prints the report of an import: what was imported, what was not, and what to do about it.
 */
import { type ContentCounts, contentText, printTally, type Tally } from '../core/content-counts.ts';
import { docsPage } from '../core/docs-page.ts';
import { print, printJson } from '../core/terminal.ts';
import type { Survey } from './survey.ts';

const notInArchives = (): readonly string[] => [
  'admin users, API tokens and transfer tokens, which no archive holds: make tokens with npx edgewise token create',
  'who created and changed a document; the views of the admin panel; texts of e-mails',
  'JWTs: users sign in again, with the passwords that they have',
  `code and configuration (controllers, services, policies, lifecycles, config/), which no archive holds: see ${docsPage('from-strapi.md')}`,
];

/** Prints the report for scripts. @param importedAt when this archive was imported already, in milliseconds */
export function printJsonReport(survey: Survey, imported: ContentCounts, importedAt: number | null): void {
  const byReason = ({ reasons }: Tally) => Array.from(reasons, ([reason, counts]) => ({ reason, ...counts }));
  printJson({
    archive: survey.file.name,
    importedAt: importedAt === null ? null : new Date(importedAt).toISOString(),
    ...{ read: survey.counts, imported, added: byReason(survey.added), leftOut: byReason(survey.leftOut) },
    warnings: Array.from(survey.warnings.counts, ([text, count]) => ({ text, count })),
    notImported: notInArchives(),
  });
}

export function printReport(survey: Survey, written: ContentCounts, dry: boolean): void {
  print(`${dry ? 'Would import' : 'Imported'} ${contentText(written)}`);
  printTally('Added:', survey.added);
  printTally('Left out:', survey.leftOut);
  const notes = survey.warnings.lines();
  if (notes.length > 0) print('Warnings:');
  for (const note of notes) print(`  ${note}`);
  print('Not imported:');
  for (const line of notInArchives()) print(`  ${line}`);
}
