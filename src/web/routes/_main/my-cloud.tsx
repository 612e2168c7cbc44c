import { createFileRoute, redirect } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { MyCloudPage } from '#web/features/account/my-cloud-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/my-cloud')({
  beforeLoad: ({ location, context }) => {
    // a brand without a cloud has no such page
    if (!context.brand.siteConfig.cloud) throw redirect({ to: '/404', replace: true });
    return openCustomerPage(location);
  },
  head: ({ match }) => pageHead(match.context, { title: msg`My cloud`, index: false }),
  component: MyCloudPage,
});
