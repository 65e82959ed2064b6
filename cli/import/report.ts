/**
 * @module Prints the report of an import: what was imported, what was not, and what to do about it.
 */
import { type ContentCounts, contentText, type Tally, tallyLines, tallyLinesWhere } from '../core/content-counts.ts';
import { docsPage } from '../core/docs-page.ts';
import { print, printJson } from '../core/terminal.ts';
import { type Comes, comingLines, panelLines } from './comes.ts';
import type { Survey } from './survey.ts';

const notInArchives = (): readonly string[] => [
  'admin users, API tokens and transfer tokens, which no archive holds: make tokens with npx edgewise token create',
  'who created and changed a document, which no archive holds',
  'JWTs: users sign in again, with the passwords that they have',
  `code and configuration (controllers, services, policies, lifecycles, config/), which no archive holds: see ${docsPage('from-strapi.md')}`,
];

/**
 * Prints the report for scripts.
 * @param comes undefined if nothing is to be imported
 * @param importedAt when this archive was imported already, in milliseconds
 */
export function printJsonReport(
  survey: Survey,
  imported: ContentCounts,
  comes: Comes | undefined,
  importedAt: number | null,
): void {
  const { counts, losses } = survey.warnings;
  const byReason = ({ reasons, unneeded }: Tally) =>
    Array.from(reasons, ([reason, counts]) => ({ reason, ...counts, unneeded: unneeded.has(reason) }));
  const byText = Array.from(counts, ([text, count]) => ({ text, count, loss: losses.has(text) }));
  printJson({
    archive: survey.file.name,
    importedAt: importedAt === null ? null : new Date(importedAt).toISOString(),
    ...{ read: survey.counts, imported, ...(comes && { comes }) },
    ...{ added: byReason(survey.added), leftOut: byReason(survey.leftOut) },
    ...{ warnings: byText, notImported: [...panelLines(survey), ...notInArchives()] },
  });
}

/** Prints a title and the lines below it; nothing without lines. */
function printLines(title: string, lines: readonly string[]): void {
  if (lines.length > 0) print(title);
  for (const line of lines) print(`  ${line}`);
}

/** Prints what an import has taken. */
export function printReport(survey: Survey, written: ContentCounts): void {
  const { added, leftOut, warnings } = survey;
  print(`Imported ${contentText(written)}`);
  printLines('Added:', tallyLines(added));
  printLines('Left out:', [...tallyLines(leftOut), ...warnings.lines(true)]);
  printLines('Warnings:', warnings.lines(false));
  printLines('Not imported:', [...panelLines(survey), ...notInArchives()]);
}

/** Prints what an import would take, and what it would not. */
export function printPreview(survey: Survey, written: ContentCounts, comes: Comes): void {
  const { added, leftOut, warnings } = survey;
  printLines(`Comes: ${contentText(written)}`, comingLines(comes));
  printLines('Added to it:', tallyLines(added));
  printLines('Not needed here:', tallyLinesWhere(leftOut, true));
  printLines('Does not come:', [
    ...[...tallyLinesWhere(leftOut, false), ...warnings.lines(true)],
    ...[...panelLines(survey), ...notInArchives()],
  ]);
  printLines('To be done:', warnings.lines(false));
  print('Nothing was written.');
}
