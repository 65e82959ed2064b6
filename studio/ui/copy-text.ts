/**
 * @module Copies text, and says so.
 */
import { notify, notifyError } from './toasts.tsx';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('Copied');
  } catch (error) {
    notifyError('Not copied', error);
  }
}
