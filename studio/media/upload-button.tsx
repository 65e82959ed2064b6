/**
 * @module The ways in for files: a button, and the area that they are dropped on.
 */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';

interface UploadButtonProps {
  readonly label: string;
  readonly look?: 'primary';
  readonly isMultiple?: boolean;
  /** What the dialog offers, such as `image/*`; everything by default. */
  readonly accept?: string | undefined;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's own dialog for files. */
export function UploadButton({ label, look, isMultiple = false, accept, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const changed = () => {
    onFiles([...(input.current?.files ?? [])]);
    if (input.current) input.current.value = '';
  };
  return (
    <>
      <Button label={label} icon="upload" {...(look && { look })} onClick={() => input.current?.click()} />
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={accept}
        multiple={isMultiple}
        onChange={changed}
      />
    </>
  );
}

interface DropAreaProps {
  /** Undefined: nothing may be dropped. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined;
  /** The name of the folder that they go into. */
  readonly folder?: string | undefined;
  readonly children: ReactNode;
}

/** Takes files that are dropped on its content, and shows itself while some are held over it. */
export function DropArea({ onFiles, folder, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!onFiles || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    const isInside = event.currentTarget.contains(event.relatedTarget as Node | null);
    setOver(event.type === 'dragover' || (event.type === 'dragleave' && isInside));
    if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div className={`stack content ${isOver ? 'dropping' : ''}`} onDragOver={over} onDragLeave={over} onDrop={over}>
      {children}
      {isOver && (
        <p className="drop-place">
          {folder ? text('Drop files here. They go into {name}.', { name: folder }) : text('Drop files here.')}
        </p>
      )}
    </div>
  );
}
