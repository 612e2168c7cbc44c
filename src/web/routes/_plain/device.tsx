import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { optional } from '#web/platform/entry/search.ts';
import { DevicePage } from '#web/features/auth/sign-on/device-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_plain/device')({
  validateSearch: v.object({ return: optional(ownPathSchema) }),
  beforeLoad: () => loadMessages('private'),
  head: ({ match }) => pageHead(match.context, { title: msg`Connect your TV`, index: false }),
  component: Device,
});

function Device() {
  return <DevicePage returnTo={Route.useSearch().return} />;
}
