/**
 * @module The names of the starters, which `npm create edgewise` has to know before there is a package.
 */
export const STARTER_NAMES = ['magazine', 'docs'] as const;

export type StarterName = (typeof STARTER_NAMES)[number];

/** Is there such a starter? */
export const isStarterName = (name: string): name is StarterName => STARTER_NAMES.some((each) => each === name);
