/**
 * @module The column at the side: content types, the other screens, and who is signed in.
 */
import { useEffect, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { signOut } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { type ContentType, ownTypes } from '../model/model.ts';
import { Icon, IconButton, type IconName } from '../ui/button.tsx';
import { useModel } from './model.ts';

/** From this number of content types on there is a box to find one. */
const MANY_TYPES = 12;

const Entry = ({ to, icon, label }: { readonly to: string; readonly icon: IconName; readonly label: string }) => (
  <NavLink to={to} end={to === '/'} className="row nowrap nav-entry">
    <Icon name={icon} />
    <span className="ellipsis">{label}</span>
  </NavLink>
);

function Types({ types }: { readonly types: readonly ContentType[] }) {
  const [text, setText] = useState('');
  const found = types.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <>
      {types.length > MANY_TYPES && (
        <input
          type="search"
          aria-label="Find a content type"
          placeholder="Find a content type"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {found.map(({ uid, kind, name, segment }) => (
        <Entry key={uid} to={`/content/${segment}`} icon={kind === 'singleType' ? 'single' : 'list'} label={name} />
      ))}
    </>
  );
}

export function Navigation() {
  const model = useModel();
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname]);
  const mayReadFiles = model.may('get', '/api/upload/files');
  return (
    <aside className={`stack side ${isOpen ? 'open' : ''}`}>
      <div className="row nowrap between padded">
        <strong>Studio</strong>
        <IconButton
          icon="menu"
          label="Menu"
          className="side-toggle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <nav aria-label="Main" className="stack grow">
        <Entry to="/" icon="home" label="Overview" />
        <h2>Content</h2>
        <Types types={ownTypes(model)} />
        <h2>More</h2>
        {mayReadFiles && <Entry to="/media" icon="image" label="Media" />}
        <Entry to="/explorer" icon="code" label="Explorer" />
        <Entry to="/reference" icon="document" label="Reference" />
      </nav>
      <footer className="row nowrap between padded">
        <span className="ellipsis" title={session?.name}>
          {session?.name}
        </span>
        {model.isReadOnly && <span className="badge">read-only</span>}
        <IconButton icon="out" label="Sign out" onClick={signOut} />
      </footer>
    </aside>
  );
}
