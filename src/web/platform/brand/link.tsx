import { Link as RouterLink } from '@tanstack/react-router';
import { hasPage } from '#contract/paths.ts';
import { useBrand } from './brand-context.tsx';

const OwnLink = (props: { to?: string }) => hasPage(useBrand().siteConfig, props.to ?? '') && <RouterLink {...props} />;

/** The router's link; nothing where the backend has no such page. */
// as: the router's type checks `to` and its parameters against all routes
export const Link = OwnLink as typeof RouterLink;
