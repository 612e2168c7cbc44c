import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { languageOf, load } from '../../platform/routing/load.ts';
import { HomeFor } from '../../features/home/home-for.tsx';
import { HomePage } from '../../features/home/home-page.tsx';
import { homeExtras, homeQueries } from '../../features/home/home-queries.ts';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/')({
  loader: ({ context }) => load(context, homeQueries(languageOf(context)), homeExtras(languageOf(context))),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Your library on every screen`,
      description: msg`Your films, series and music, on your phone, your TV box and your smart TV. See the plans and start today.`,
    }),
  component: Home,
});

function Home() {
  return (
    <HomeFor>
      <HomePage />
    </HomeFor>
  );
}
