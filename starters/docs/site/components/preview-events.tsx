'use client';

/**
 * @module Talks with Studio, which shows a preview in a frame: runs the script that Studio sends, so that a click on a text
 * leads to its field, and reads the page again after each save.
 */
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

export function PreviewEvents({ studio }: { readonly studio: string }) {
  const router = useRouter();
  useEffect(() => {
    const onMessage = ({ origin, data }: MessageEvent) => {
      if (origin !== studio) return;
      if (data.type === 'strapiUpdate') router.refresh();
      if (data.type === 'strapiScript') {
        const script = document.createElement('script');
        script.textContent = data.payload.script;
        document.head.append(script);
      }
    };
    addEventListener('message', onMessage);
    parent.postMessage({ type: 'previewReady' }, '*');
    return () => removeEventListener('message', onMessage);
  }, [router, studio]);
  return null;
}
