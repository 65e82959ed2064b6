/**
 * @module The start of Studio. Lists are there at once; other screens are loaded when they are opened.
 */
import './style.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createHashRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from './api/send.ts';
import { session } from './api/session.ts';
import { ContentPage } from './list/content-page.tsx';
import { StudioApp } from './shell/app.tsx';
import { modelQuery } from './shell/model.ts';
import { NotFound, RouteFailure } from './shell/page.tsx';
import { loadLanguage } from './texts/language.ts';
import { Loading } from './ui/states.tsx';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 0,
      refetchOnWindowFocus: false,
    },
  },
});

// While the code of the first screen is on its way.
const held = session();
if (held) queries.prefetchQuery(modelQuery(held));

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
  { path: '/reset', lazy: { Component: async () => (await import('./people/password-pages.tsx')).ResetPage } },
]);

const root = document.getElementById('root');
if (root) {
  await loadLanguage();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
