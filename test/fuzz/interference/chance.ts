/**
 * @module Chance and time that both worlds share: what a request draws depends on its step alone. So new ids and times are
 * equal in both worlds, and responses can be compared to the letter.
 */
import { vi } from 'vitest';

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;

/** The time when the content was made. */
export const PLANTED = Date.parse('2026-01-01T00:00:00.000Z');
/** The time of the first request. */
export const START = Date.parse('2026-06-01T12:00:00.000Z');
const MINUTE = 60_000;

let prefix = 'a';
let drawn = 0;
let now = PLANTED;
let named: string[] = [];

/** 24 characters that say where the id comes from. */
export const idNamed = (name: string): string => name.padEnd(LENGTH, '0').slice(0, LENGTH);

function nextText(length: number): string {
  const name = named.shift();
  drawn += 1;
  return (name ?? `${prefix}${drawn}`).padEnd(length, '0').slice(-length);
}

function fillRandom<T extends ArrayBufferView | null>(array: T): T {
  if (array instanceof Uint32Array) {
    const text = nextText(array.length);
    for (let at = 0; at < array.length; at += 1) array[at] = CHARACTERS.indexOf(text[at] ?? 'a');
  } else if (array instanceof Uint8Array) array.set(randomBlob(array.length));
  return array;
}

/** Stands in for SQLite's `randomblob`. */
export function randomBlob(length: number): Uint8Array {
  drawn += 1;
  const text = `${prefix}${drawn}`.padStart(length, '.').slice(-length);
  return new TextEncoder().encode(text);
}

/** Ids of component instances, which order nothing. */
function randomNumber(): number {
  drawn += 1;
  let hash = drawn;
  for (const character of prefix) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return ((hash >>> 0) + 1) / 2 ** 33;
}

/** Replaces the sources of chance and the clock, until `vi.restoreAllMocks` and `vi.useRealTimers`. */
export function shareChance(): void {
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(fillRandom);
  vi.spyOn(Math, 'random').mockImplementation(randomNumber);
  vi.setSystemTime(now);
}

/** Begins a step: from now on, all that is drawn follows from its name. @param ids the next documentIds */
export function beginStep(step: string, time: number, ids: readonly string[] = []): void {
  prefix = step;
  drawn = 0;
  now = time;
  named = ids.map(idNamed);
  vi.setSystemTime(now);
}

/** The time of a step. */
export const timeOf = (step: number): number => START + step * MINUTE;
