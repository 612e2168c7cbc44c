import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { optional, optionalText } from '#web/platform/entry/search.ts';
import { NoticePage } from '#web/features/errors/notice-page.tsx';
import { OffersPage, RestorePage, BindEmailPage } from '#web/features/recovery/mail-link-pages.tsx';
import { mailTokenOf } from '#web/features/recovery/mail-token.ts';
import { recoveryNotices } from '#web/features/recovery/notices.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_plain/notice')({
  validateSearch: v.object({ type: optionalText(40), errCode: optionalText(8), return: optional(ownPathSchema) }),
  beforeLoad: () => loadMessages('private'),
  head: ({ match }) => pageHead(match.context, { title: msg`Notice`, index: false }),
  component: Notice,
});

/** The page of an email's link, and the notice that replaces it once its token is missing. */
const emailPages = {
  bindEmail: { page: 'bind', Page: BindEmailPage, gone: 'linkGone' },
  restoreEmail: { page: 'restore', Page: RestorePage, gone: 'linkGone' },
  offers: { page: 'offers', Page: OffersPage, gone: 'offersLink' },
} as const;

function Notice() {
  const { type, errCode, return: returnTo } = Route.useSearch();
  const link = type === 'bindEmail' || type === 'restoreEmail' || type === 'offers' ? emailPages[type] : undefined;
  const token = link && mailTokenOf(link.page);
  if (link && token) return <link.Page token={token} />;
  return <NoticePage type={link?.gone ?? type} errCode={errCode} returnTo={returnTo} more={recoveryNotices} />;
}
