/**
 * @module One role and one content type: each action, what it is limited to, and the line of the settings that says so.
 */
import { labelOf } from '../model/attribute.ts';
import { text } from '../texts/text.ts';
import { Icon, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import { copyText } from '../ui/toasts.tsx';
import { ACTION_NAMES, type ActionGrant, EXTENTS, type Extent, type Scope, shownExtent } from './role-words.ts';

const ICONS = { no: 'none', drafts: 'part', limited: 'part', yes: 'check' } as const;

/** How far an action is granted. */
export const Mark = ({ extent }: { readonly extent: Extent }) => (
  <span className={`mark ${extent}`} role="img" aria-label={text(EXTENTS[extent])} title={text(EXTENTS[extent])}>
    <Icon name={ICONS[extent]} />
  </span>
);

interface ActionProps {
  readonly action: ActionGrant;
  /** Its name in the settings. */
  readonly role: string;
}

/** A grant is a pattern, a default or a line; only the line is known here. */
function Action({ action, role }: ActionProps) {
  const { name, id, extent, limits } = action;
  const label = ACTION_NAMES[name];
  const line = `roles: { ${JSON.stringify(role)}: ['${id}'] }`;
  return (
    <details className="role-action">
      <summary>
        <Mark extent={shownExtent(action)} /> {label ? text(label) : labelOf(name)}{' '}
        {limits.length > 0 && <span className="muted">{limits.join(' ')}</span>}
      </summary>
      <div className="stack indented">
        <p className="muted">
          {extent === 'no'
            ? text('To grant it, add this to edgewise.config.ts, and deploy:')
            : text('To take it away, remove this from edgewise.config.ts, or a pattern that means it, and deploy:')}
        </p>
        <div className="row nowrap">
          <pre className="verbatim grow">{line}</pre>
          <IconButton icon="copy" label={text('Copy')} onClick={() => copyText(line)} />
        </div>
      </div>
    </details>
  );
}

interface RolePanelProps {
  readonly role: string;
  readonly roleName: string;
  readonly scope: Scope;
  /** Of the content type or the controller. */
  readonly name: string;
  readonly onClose: () => void;
}

export const RolePanel = ({ role, roleName, scope, name, onClose }: RolePanelProps) => (
  <Dialog title={text('{role}: {name}', { role: roleName, name })} onClose={onClose}>
    <div>
      {scope.actions.map((action) => (
        <Action key={action.id} action={action} role={role} />
      ))}
    </div>
  </Dialog>
);
