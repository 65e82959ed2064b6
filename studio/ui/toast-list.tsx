/**
 * @module The messages that are shown now.
 */
import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { text } from '../texts/text.ts';
import { IconButton } from './button.tsx';
import { Field } from './inputs.tsx';
import { Dialog } from './popups.tsx';
import { uncopied } from './toasts.tsx';

export const toasts = Toast.createToastManager();

const { promise, resolve } = Promise.withResolvers<void>();
/** Resolves once messages are shown; those before are lost. */
export const isThere = promise;

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

/** A text that only the user can copy, as the browser has it, selected. */
function Uncopied() {
  const copied = uncopied.use();
  if (copied === null) return null;
  return (
    <Dialog title={text('Copy')} onClose={() => uncopied.set(null)}>
      <Field id="uncopied" label={text('The browser does not let Studio copy. Copy it here:')}>
        <textarea id="uncopied" readOnly value={copied} onFocus={({ target }) => target.select()} />
      </Field>
    </Dialog>
  );
}

export function ToastList() {
  useEffect(resolve, []);
  return (
    <Toast.Provider toastManager={toasts} timeout={4000}>
      <Toast.Portal>
        <Toast.Viewport aria-label={text('Notifications')} className="stack toasts">
          <Messages />
        </Toast.Viewport>
      </Toast.Portal>
      <Uncopied />
    </Toast.Provider>
  );
}
