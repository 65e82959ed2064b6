/**
 * @module Files that are dropped where no screen takes them. The browser would show the first one in place of Studio.
 */
import { useEffect } from 'react';

function reject(event: DragEvent): void {
  const [target] = event.composedPath();
  // Editors of text read the files themselves.
  const isTaken = event.defaultPrevented || (target instanceof HTMLElement && target.isContentEditable);
  if (isTaken || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

export function useNoStrayFiles(): void {
  useEffect(() => {
    window.addEventListener('dragover', reject);
    window.addEventListener('drop', reject);
    return () => {
      window.removeEventListener('dragover', reject);
      window.removeEventListener('drop', reject);
    };
  }, []);
}
