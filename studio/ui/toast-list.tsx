/**
 * @module The messages that are shown now.
 */
import { Toast } from '@base-ui/react/toast';
import { text } from '../texts/text.ts';
import { IconButton } from './button.tsx';

export const toasts = Toast.createToastManager();

function Messages() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`row nowrap between toast ${toast.type ?? ''}`}>
      <div className="grow">
        <Toast.Title />
        <Toast.Description className="muted" />
      </div>
      {/* The library hides it until the messages have the focus, although it can have it itself. */}
      <Toast.Close aria-hidden={false} render={<IconButton icon="close" label={text('Dismiss')} />} />
    </Toast.Root>
  ));
}

export const ToastList = () => (
  <Toast.Provider toastManager={toasts} timeout={4000}>
    <Toast.Portal>
      <Toast.Viewport aria-label={text('Notifications')} className="stack toasts">
        <Messages />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);
