/**
 * @module One role and one content type: each action, what it is limited to, and how the settings change that.
 */
import { labelOf } from '../model/attribute.ts';
import { text } from '../texts/text.ts';
import { Icon, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import { copyText } from '../ui/toasts.tsx';
import { ACTION_NAMES, type ActionGrant, EXTENTS, type Extent, type Scope, shownExtent } from './role-words.ts';

const ICONS = { no: 'none', drafts: 'edit', limited: 'part', yes: 'check' } as const;

interface MarkProps {
  readonly extent: Extent;
  /** Do words stand beside it? */
  readonly isExplained?: boolean;
}

/** How far an action is granted. */
export function Mark({ extent, isExplained = false }: MarkProps) {
  const name = { role: 'img', 'aria-label': text(EXTENTS[extent]), title: text(EXTENTS[extent]) };
  return (
    <span className={`mark ${extent}`} {...(!isExplained && name)}>
      <Icon name={ICONS[extent]} />
    </span>
  );
}

interface ActionProps {
  readonly action: ActionGrant;
  /** Its name in the settings. */
  readonly role: string;
}

/** A grant is a pattern, a default or a line; only the line is known here. */
function SettingsLine({ action: { id, extent }, role }: ActionProps) {
  const line = `roles: { ${JSON.stringify(role)}: ['${id}'] }`;
  return (
    <>
      <p className="muted">
        {extent === 'no'
          ? text('To grant it, add this to edgewise.config.ts, and deploy:')
          : text('To take it away, remove this from edgewise.config.ts, or a pattern that means it, and deploy:')}
      </p>
      <div className="row nowrap">
        <pre className="verbatim grow">{line}</pre>
        <IconButton icon="copy" label={text('Copy')} onClick={() => copyText(line)} />
      </div>
    </>
  );
}

const WITH_CONDITIONS =
  'It is part of a grant with conditions. To take it away, remove it from that grant in edgewise.config.ts, and deploy.';
const WITH_WRITES =
  'It comes with creating and changing. To take it away, limit those to drafts in edgewise.config.ts, and deploy.';

const WITH_PUBLIC =
  'It comes from the role public, or from api.rest.publicDrafts. To take it away, change those in edgewise.config.ts, and deploy.';

/** How to change what an action is granted. */
function Way({ action, role }: ActionProps) {
  if (action.isInherited) return <p className="muted">{text(WITH_PUBLIC)}</p>;
  if (action.isImplied) return <p className="muted">{text(WITH_WRITES)}</p>;
  if (action.limits.length > 0) return <p className="muted">{text(WITH_CONDITIONS)}</p>;
  return <SettingsLine action={action} role={role} />;
}

function Action({ action, role }: ActionProps) {
  const { name, limits } = action;
  const label = ACTION_NAMES[name];
  return (
    <details className="role-action">
      <summary>
        <Mark extent={shownExtent(action)} /> {label ? text(label) : labelOf(name)}{' '}
        {limits.length > 0 && <span className="muted">{limits.join(' ')}</span>}
      </summary>
      <div className="stack indented">
        <Way action={action} role={role} />
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
