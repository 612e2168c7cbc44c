import { setupI18n } from '@lingui/core';
import { I18nProvider, useLingui } from '@lingui/react';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import ky from 'ky';
import { createElement, useEffect, type ReactElement, type ReactNode } from 'react';
import * as v from 'valibot';

/** An element as its tag, attributes and children; or a text. */
export type TreeNode =
  | string
  | readonly [tag: string, attributes: Readonly<Record<string, string>>, children: TreeNode[]];

export const stateSchema = v.object({
  language: v.string(),
  path: v.string(),
  tree: v.custom<TreeNode[]>(Array.isArray),
});
export type FloorState = v.InferOutput<typeof stateSchema>;

const api = ky.create({ retry: 0 });

/**
 * A page with the elements of another one and nothing else: the storefront's libraries as they are published, with one
 * route, one query and one message. No storefront on these libraries can hydrate this page faster.
 */
export function floorApp({ language, path, tree }: FloorState, history: RouterHistory) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(['tree'], tree);
  const i18n = setupI18n({ locale: language, messages: { [language]: { title: 'Page' } } });
  const rootRoute = createRootRoute({ component: Outlet });
  const page = createRoute({ getParentRoute: () => rootRoute, path, component: Page });
  const router = createRouter({ routeTree: rootRoute.addChildren([page]), history, defaultPreload: 'intent' });
  const routed = createElement(RouterProvider, { router });
  const element = createElement(I18nProvider, { i18n }, createElement(QueryClientProvider, { client }, routed));
  return { router, element };
}

function Page(): ReactElement {
  const { data = [] } = useQuery({ queryKey: ['tree'], queryFn: () => api.get('/tree').json<TreeNode[]>() });
  const { i18n } = useLingui();
  useEffect(() => {
    document.documentElement.dataset.title = i18n._('title');
    performance.mark('marquee:hydrated');
  }, [i18n]);
  return createElement('div', {}, ...data.map(elementOf));
}

function elementOf(node: TreeNode): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, children] = node;
  return createElement(tag, attributes, ...children.map(elementOf));
}
