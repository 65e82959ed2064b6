/**
 * @module Short messages about what was done.
 */
import { Toast } from '@base-ui/react/toast';
import { text } from '../texts/text.ts';
import { IconButton } from './button.tsx';

const manager = Toast.createToastManager();

/** Says what was done. */
export const notify = (title: string): void => void manager.add({ title, type: 'done' });

/** Says what failed, and why. */
export function notifyError(title: string, error: unknown): void {
  const description = error instanceof Error ? error.message : String(error);
  manager.add({ title, description, type: 'error', priority: 'high', timeout: 12_000 });
}

function Messages() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`row nowrap between toast ${toast.type ?? ''}`}>
      <div className="grow">
        <Toast.Title />
        <Toast.Description className="muted" />
      </div>
      <Toast.Close render={<IconButton icon="close" label={text('Dismiss')} />} />
    </Toast.Root>
  ));
}

export const Toasts = () => (
  <Toast.Provider toastManager={manager} timeout={4000}>
    <Toast.Portal>
      <Toast.Viewport aria-label={text('Notifications')} className="stack toasts">
        <Messages />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

/** @param done says what was copied */
export async function copyText(copied: string, done = text('Copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(copied);
    notify(done);
  } catch (error) {
    notifyError(text('Not copied'), error);
  }
}
