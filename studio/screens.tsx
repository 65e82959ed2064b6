/**
 * @module The screens of Studio by their addresses. Lists are there at once; other screens are loaded when they are opened.
 */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createHashRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ContentPage } from './list/content-page.tsx';
import { StudioApp } from './shell/app.tsx';
import { NotFound, RouteFailure } from './shell/page.tsx';
import { Loading } from './ui/states.tsx';

const screens = [
  { index: true, lazy: { Component: async () => (await import('./overview/overview-page.tsx')).OverviewPage } },
  { path: 'content/:segment', element: <ContentPage /> },
  {
    path: 'content/:segment/:documentId',
    lazy: { Component: async () => (await import('./document/document-page.tsx')).DocumentPage },
  },
  { path: 'media', lazy: { Component: async () => (await import('./media/media-page.tsx')).MediaPage } },
  { path: 'explorer', lazy: { Component: async () => (await import('./explorer/explorer-page.tsx')).ExplorerPage } },
  { path: 'reference', lazy: { Component: async () => (await import('./explorer/reference-page.tsx')).ReferencePage } },
  { path: 'people', lazy: { Component: async () => (await import('./people/people-page.tsx')).PeoplePage } },
  { path: 'roles', lazy: { Component: async () => (await import('./people/roles-page.tsx')).RolesPage } },
  { path: 'account', lazy: { Component: async () => (await import('./people/account-page.tsx')).AccountPage } },
  { path: '*', element: <NotFound /> },
];

const router = createHashRouter([
  {
    path: '/',
    element: <StudioApp />,
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <Loading />,
    children: [{ errorElement: <RouteFailure />, children: screens }],
  },
  { path: '/forgot', lazy: { Component: async () => (await import('./people/password-pages.tsx')).ForgotPage } },
  { path: '/connect', lazy: { Component: async () => (await import('./people/connect-page.tsx')).ConnectPage } },
  { path: '/reset', lazy: { Component: async () => (await import('./people/password-pages.tsx')).ResetPage } },
]);

/** Shows the screen that the address names. */
export function render(queries: QueryClient): void {
  const root = document.getElementById('root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
