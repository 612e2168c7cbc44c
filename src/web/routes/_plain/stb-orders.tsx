import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { correctScreen, currentScene, setScene } from '#web/platform/entry/scene.ts';
import { StbOrdersPage } from '#web/features/tv/stb-orders-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_plain/stb-orders')({
  // Public: without a session it shows how to sign in. This page always sets the TV scene.
  beforeLoad: async () => {
    setScene({ ...currentScene(), scene: 'STB' });
    await Promise.all([correctScreen(), loadMessages('private')]);
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Your orders`, index: false }),
  component: StbOrdersPage,
});
