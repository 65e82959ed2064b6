/**
 * @module The ways in for files: a button, and the area that they are dropped on.
 */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';

interface UploadButtonProps {
  readonly label: string;
  readonly look?: 'primary';
  readonly isMultiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's own dialog for files. */
export function UploadButton({ label, look, isMultiple = false, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const changed = () => {
    onFiles([...(input.current?.files ?? [])]);
    if (input.current) input.current.value = '';
  };
  return (
    <>
      <Button label={label} icon="upload" {...(look && { look })} onClick={() => input.current?.click()} />
      <input ref={input} hidden type="file" aria-label={label} multiple={isMultiple} onChange={changed} />
    </>
  );
}

interface DropAreaProps {
  /** Undefined: nothing may be dropped. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Takes files that are dropped on its content. */
export function DropArea({ onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!onFiles || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div className={`stack content ${isOver ? 'dropping' : ''}`} onDragOver={over} onDragLeave={over} onDrop={over}>
      {children}
    </div>
  );
}
