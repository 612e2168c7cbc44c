import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '../../../contract/fields.ts';
import { optional, optionalText } from '../../entry/search-schema.ts';
import { NoticePage } from '../../features/errors/notice-page.tsx';
import { BindEmailPage } from '../../features/recovery/bind-email-page.tsx';
import { mailTokenOf } from '../../features/recovery/mail-token.ts';
import { recoveryNotices } from '../../features/recovery/notices.ts';
import { pageHead } from '../../head/page-head.ts';
import { ensureWords } from '../../i18n/catalogs.ts';

export const Route = createFileRoute('/_plain/notice')({
  validateSearch: v.object({ type: optionalText(40), errCode: optionalText(8), return: optional(ownPathSchema) }),
  beforeLoad: () => ensureWords('identity'),
  head: ({ match }) => pageHead(match.context, { title: msg`Notice`, index: false }),
  component: Notice,
});

function Notice() {
  const { type, errCode, return: returnTo } = Route.useSearch();
  const token = type === 'bindEmail' ? mailTokenOf('bind') : undefined;
  if (token) return <BindEmailPage token={token} />;
  const shown = type === 'bindEmail' ? 'linkGone' : type;
  return <NoticePage type={shown} errCode={errCode} returnTo={returnTo} more={recoveryNotices} />;
}
