/**
 * @module Leaves a preview.
 */
import { draftMode } from 'next/headers';
import { redirect } from 'next/navigation';

export async function POST(): Promise<never> {
  (await draftMode()).disable();
  redirect('/');
}
