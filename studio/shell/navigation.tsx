/**
 * @module The column at the side: content types, the other screens, and who is signed in.
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { signOut } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { type ContentType, ownTypes } from '../model/model.ts';
import { text } from '../texts/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon, IconButton, type IconName } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { StudioMark } from '../ui/mark.tsx';
import { useModel } from './model.ts';
import { useUploads } from './uploads.ts';

/** From this number of content types on there is a box to find one. */
const MANY_TYPES = 12;

const Entry = ({ to, icon, label }: { readonly to: string; readonly icon: IconName; readonly label: string }) => (
  <NavLink to={to} end={to === '/'} className="row nowrap nav-entry">
    <Icon name={icon} />
    <span className="ellipsis">{label}</span>
  </NavLink>
);

function Types({ types }: { readonly types: readonly ContentType[] }) {
  const [part, setPart] = useState('');
  const found = types.filter(({ plural }) => plural.toLowerCase().includes(part.toLowerCase()));
  return (
    <>
      {types.length > MANY_TYPES && (
        <input
          type="search"
          aria-label={text('Find a content type')}
          placeholder={text('Find a content type')}
          value={part}
          onChange={(event) => setPart(event.target.value)}
        />
      )}
      {found.map(({ uid, kind, plural, segment }) => (
        <Entry key={uid} to={`/content/${segment}`} icon={kind === 'singleType' ? 'single' : 'list'} label={plural} />
      ))}
    </>
  );
}

const Search = lazy(async () => ({ default: (await import('../list/search.tsx')).Search }));

const UploadList = lazy(async () => ({ default: (await import('../media/upload-list.tsx')).UploadList }));

export function Navigation() {
  const model = useModel();
  const session = useSession();
  const hasUploads = useUploads().length > 0;
  const [isOpen, setOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  useKeys({ '/': () => setSearching(true) });
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies(pathname): another page begins with a closed menu
  useEffect(() => setOpen(false), [pathname]);
  const mayReadFiles = model.may('get', '/api/upload/files');
  return (
    <aside className={`stack side ${isOpen ? 'open' : ''}`}>
      <div className="row nowrap between padded">
        <Link to="/" className="row nowrap grow home">
          <StudioMark />
          <span className="grow">
            <strong>Studio</strong>
            <span className="muted small ellipsis">{location.host}</span>
          </span>
        </Link>
        <IconButton
          icon="search"
          label={text('Search all content types')}
          aria-keyshortcuts="/"
          onClick={() => setSearching(true)}
        />
        <IconButton
          icon="menu"
          label={text('Menu')}
          className="side-toggle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isSearching && (
        <Suspense>
          <Search onClose={() => setSearching(false)} />
        </Suspense>
      )}
      <nav aria-label={text('Main')} className="stack grow">
        <Entry to="/" icon="home" label={text('Overview')} />
        <h2>{text('Content')}</h2>
        <Types types={ownTypes(model)} />
        <h2>{text('More')}</h2>
        {mayReadFiles && <Entry to="/media" icon="image" label={text('Media')} />}
        {model.may('get', '/api/users') && <Entry to="/people" icon="user" label={text('Users')} />}
        {model.may('get', '/api/users-permissions/roles') && <Entry to="/roles" icon="check" label={text('Roles')} />}
        <Entry to="/explorer" icon="code" label={text('Explorer')} />
        <Entry to="/reference" icon="document" label={text('Reference')} />
      </nav>
      {hasUploads && (
        <Suspense>
          <UploadList />
        </Suspense>
      )}
      <footer className="row nowrap between padded">
        <NavLink to="/account" className="row nowrap grow nav-entry" title={text('My account')}>
          <Avatar name={session?.name ?? ''} />
          <span>{session?.name}</span>
        </NavLink>
        {model.isReadOnly && <span className="badge">{text('read-only')}</span>}
        <IconButton icon="out" label={text('Sign out')} onClick={signOut} />
      </footer>
    </aside>
  );
}
