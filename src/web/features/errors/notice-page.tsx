import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { isErrorCode } from '../../../contract/error-codes.ts';
import { StateArt, type StateKind } from '../../ui/art/state-art.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { StatePage } from '../../ui/state-page.tsx';

interface Notice {
  art: StateKind;
  title: MessageDescriptor;
  text: MessageDescriptor;
  to: '/' | '/pricing-table';
  action: MessageDescriptor;
}

const notices: Readonly<Record<string, Notice>> = {
  stbLoginErr: {
    art: 'error',
    title: msg`We could not log you in on this device`,
    text: msg`Open the app on your box again and scan the new code from there.`,
    to: '/',
    action: msg`Go to the home page`,
  },
  cannotBuyPlan: {
    art: 'notice',
    title: msg`You cannot buy this plan right now`,
    text: msg`Another plan may be open to you.`,
    to: '/pricing-table',
    action: msg`See the plans`,
  },
};

const anyNotice: Notice = {
  art: 'notice',
  title: msg`There is nothing to see here`,
  text: msg`This link has done its work, or is not complete.`,
  to: '/',
  action: msg`Go to the home page`,
};

interface NoticePageProps {
  type?: string | undefined;
  errCode?: string | undefined;
}

/** One message to which links and refusals lead. Both parameters come from an address, so unknown ones say nothing. */
export function NoticePage({ type = '', errCode }: NoticePageProps) {
  const { i18n } = useLingui();
  const notice = (Object.hasOwn(notices, type) && notices[type]) || anyNotice;
  const known = type === 'stbLoginErr' && isErrorCode(Number(errCode));
  const action = (
    <Link to={notice.to} className={buttonClass()}>
      {i18n._(notice.action)}
    </Link>
  );
  return (
    <StatePage art={<StateArt kind={notice.art} />} title={i18n._(notice.title)} action={action}>
      <p>{i18n._(notice.text)}</p>
      {known ? (
        <p>
          <Trans>Code {errCode}</Trans>
        </p>
      ) : null}
    </StatePage>
  );
}
