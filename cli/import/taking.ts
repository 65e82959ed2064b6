/**
 * @module What an import works with while it takes an archive.
 */

import type { Registry } from '../../src/registry/model.ts';
import type { Settings } from '../../src/settings/config.ts';
import type { Storage } from '../core/storage/bindings.ts';
import type { Marker } from './marker.ts';
import type { TypesByUid } from './resolve-rows.ts';
import type { PlacedRole } from './settings-of.ts';
import type { Survey } from './survey.ts';

export interface Taking {
  readonly survey: Survey;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly types: TypesByUid;
  readonly marker: Marker;
  readonly roles: readonly PlacedRole[];
  readonly content: boolean;
  readonly files: boolean;
  /** Absent: nothing is written. */
  readonly storage?: Storage;
}

/** Without a database, the archive is only checked. */
export const verbOf = (storage: Storage | undefined): string => (storage ? 'import' : 'check');
