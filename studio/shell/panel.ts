/**
 * @module Panels that have an address: what opens one adds an entry to the history of the browser, and closing it goes back.
 */
import { useLocation, useNavigate } from 'react-router';

/** State of the entry that a panel is opened with. */
export const OPENED = { isPanel: true };

/** @param leave takes the panel out of an address that was opened with it */
export function usePanelClose(leave: () => void): () => void {
  const { state } = useLocation();
  const navigate = useNavigate();
  return () => (state?.isPanel ? navigate(-1) : leave());
}
