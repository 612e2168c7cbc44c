import { Link as RouterLink } from '@tanstack/react-router';
import { hasPage } from '#contract/paths.ts';
import { useBrand } from './brand-context.tsx';

/** The router's link; nothing where the backend has no such page. */
// as: the router's type checks `to` and its parameters against all routes
export const Link = ((props: { to?: string }) =>
  hasPage(useBrand().siteConfig, props.to ?? '') && <RouterLink {...props} />) as typeof RouterLink;
