/**
 * @module `populates` of the settings: populates that requests name, by uid and name.
 */
import * as z from 'zod/mini';
import { textMatching } from './setting-values.ts';

const preset = z.strictObject({
  /** Names of scalar attributes; absent: all. */
  fields: z.optional(z.array(z.string())),
  /** As the parameter `populate` of a request. */
  populate: z.optional(z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())])),
});

const named = z.record(textMatching(/^[a-z]\w{0,63}$/i, 'a name of letters, digits and _'), preset);

export const populates = z._default(z.record(z.string(), named), {});
