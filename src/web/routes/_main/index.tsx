import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { languageOf, load } from '#web/platform/api/query.ts';
import { HomePage, HomeSwitch } from '#web/features/home/home-page.tsx';
import { homeExtras, homeQueries } from '#web/features/home/home-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/')({
  loader: ({ context }) => load(context, homeQueries(languageOf(context)), homeExtras(languageOf(context))),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Your library on every screen`,
      description: msg`Your films, series and music on your phone, TV box and smart TV. See the plans and start today.`,
    }),
  component: Home,
});

function Home() {
  return (
    <HomeSwitch>
      <HomePage />
    </HomeSwitch>
  );
}
