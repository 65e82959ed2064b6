/**
 * @module Bodies of the benchmark's writes, each from a number that makes titles and slugs unique.
 */
import { authorDocumentId, fileDocumentId, tagDocumentId } from './seed-data.ts';

export const articleInput = (unique: number) => ({
  data: {
    title: `A letter from the harbour ${unique}`,
    slug: `letter-from-the-harbour-${unique}`,
    summary: 'What the pilots say about the new light, and what the light would say about the pilots.',
    body: 'The tide does not wait for the clerk. '.repeat(14).trim(),
    format: 'report',
    publishDate: '2026-03-14',
    airTime: '18:30:00.000',
    reviewedAt: '2026-03-13T09:30:00.000Z',
    readingMinutes: 7,
    views: '9007199254740993',
    rating: 4.5,
    score: 0.75,
    featured: true,
    keywords: { topics: ['harbour', 'light'] },
    contact: 'desk@example.com',
  },
});

export const articleChange = (unique: number) => ({
  data: { title: `A second letter ${unique}`, rating: unique % 5, reviewedAt: '2026-04-01T08:00:00.000Z' },
});

export const dossierInput = (unique: number) => ({
  data: {
    title: `The new light ${unique}`,
    slug: `the-new-light-${unique}`,
    intro: 'Letters, pictures and a quarrel about the new light.',
    editor: authorDocumentId(3),
    tags: [tagDocumentId(4), tagDocumentId(1), tagDocumentId(7)],
    sections: [
      { __component: 'shared.prose', body: 'The tide does not wait for the clerk. '.repeat(8).trim() },
      { __component: 'shared.quote', text: 'We were early, for once.', source: 'A pilot' },
      { __component: 'shared.picture', caption: 'The light at noon', image: fileDocumentId(5) },
    ],
  },
});

export const dossierChange = (unique: number) => ({ data: { title: `The old light ${unique}` } });
