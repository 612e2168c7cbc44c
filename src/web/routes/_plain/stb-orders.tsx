import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { currentScene, enterScene } from '../../entry/scene.ts';
import { StbOrdersPage } from '../../features/stb-orders/stb-orders-page.tsx';
import { pageHead } from '../../head/page-head.ts';
import { ensureWords } from '../../i18n/catalogs.ts';

export const Route = createFileRoute('/_plain/stb-orders')({
  // Open to anyone: without a session it says how to get one. Whoever comes here is on a TV, however they came.
  beforeLoad: () => {
    enterScene({ ...currentScene(), scene: 'STB' });
    return ensureWords('customer');
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Your orders`, index: false }),
  component: StbOrdersPage,
});
