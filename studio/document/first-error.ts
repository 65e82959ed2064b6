/**
 * @module The way to what is wrong in a form.
 */

/** Milliseconds until the entries with errors have unfolded. */
const UNFOLDED = 100;

/**
 * Scrolls to the first error, and focuses its input. Entries that have errors unfold first.
 * @param showForm makes the form visible
 */
export function showFirstError(showForm: () => void): void {
  showForm();
  setTimeout(() => {
    // The form of a layer stands behind that below it.
    const form = [...document.querySelectorAll('.document-form')].at(-1);
    const field = form?.querySelector('[role=alert]')?.closest('.field');
    const controls = ['[aria-invalid=true]', '.code-editor', 'button'].map((selector) =>
      field?.querySelector<HTMLElement>(selector),
    );
    field?.scrollIntoView({ block: 'center' });
    controls.find(Boolean)?.focus({ preventScroll: true });
  }, UNFOLDED);
}
