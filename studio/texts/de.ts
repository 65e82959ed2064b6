/**
 * @module German: English text → German text. TypeScript rejects a text of Studio that is not here; a test finds those
 * that Studio does not use.
 */
export const de = {
  Content: 'Inhalte',
  Explorer: 'Explorer',
  'Find a content type': 'Inhaltstyp suchen',
  Main: 'Hauptmenü',
  Media: 'Medien',
  Menu: 'Menü',
  More: 'Mehr',
  Overview: 'Übersicht',
  'read-only': 'nur lesen',
  Reference: 'Referenz',
  'Sign out': 'Abmelden',
} as const;
