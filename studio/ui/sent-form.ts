/**
 * @module Forms of HTML after what they sent was stored.
 */

/** Shows in the inputs of a form what is stored, but for what was typed since it was sent. */
export function resetSent(form: HTMLFormElement, sent: FormData): void {
  const typed = [...new FormData(form)].filter(([name, value]) => value !== sent.get(name));
  form.reset();
  for (const [name, value] of typed) {
    const input = form.elements.namedItem(name);
    if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) input.value = String(value);
  }
}
