declare namespace App {
  interface Locals {
    locale: import('./lib/locales').Locale;
    /** The categories in the language of the page; none while the API does not respond. */
    categories: Promise<readonly import('./lib/api').Category[]>;
  }
}
