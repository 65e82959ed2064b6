/**
 * @module The mark of Studio: that of its tab in the browser.
 */
export const StudioMark = () => (
  <svg className="studio-mark" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" />
    <path d="M11 4H5v8h6M5 8h5" />
  </svg>
);
