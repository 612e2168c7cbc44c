import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { errorNameOf } from '#contract/error-codes.ts';
import { StateArt, type StateKind } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';

interface Notice {
  readonly art: StateKind;
  readonly title: MessageDescriptor;
  readonly text: MessageDescriptor;
  readonly to: '/' | '/pricing-table' | '/login' | '/account' | '/settings' | '/help';
  readonly action: MessageDescriptor;
}

type Notices = Readonly<Record<string, Notice>>;

const notices: Notices = {
  stbLoginErr: {
    art: 'error',
    title: msg`We couldn’t log you in on this device`,
    text: msg`Open the app on your TV box again and scan the new code.`,
    to: '/',
    action: msg`Go to home page`,
  },
  cannotBuyPlan: {
    art: 'notice',
    title: msg`You cannot buy this plan right now`,
    text: msg`Another plan may be available to you.`,
    to: '/pricing-table',
    action: msg`See plans`,
  },
};

const anyNotice: Notice = {
  art: 'notice',
  title: msg`There’s nothing to see here`,
  text: msg`This link was already used or is incomplete.`,
  to: '/',
  action: msg`Go to home page`,
};

interface NoticePageProps {
  type?: string | undefined;
  errCode?: string | undefined;
  /** a path of the storefront that the login leads back to */
  returnTo?: string | undefined;
  /** notices of other features, by type */
  more?: Notices | undefined;
}

/**
 * A message to which links and errors lead. Both parameters come from a URL, so unknown values show a generic message.
 */
export function NoticePage({ type = '', errCode, returnTo, more = {} }: NoticePageProps) {
  const { i18n } = useLingui();
  const notice = noticeOf(type, { ...notices, ...more });
  const known = type === 'stbLoginErr' && errorNameOf(Number(errCode)) !== undefined;
  const search = notice.to === '/login' ? { return: returnTo } : {};
  const action = (
    <Link to={notice.to} search={search} className={buttonClass({ size: 'lg' })}>
      {i18n._(notice.action)}
    </Link>
  );
  return (
    <div key={type} ref={focusWhenLost} tabIndex={-1}>
      <StatePage art={<StateArt kind={notice.art} />} title={i18n._(notice.title)} action={action}>
        <p>{i18n._(notice.text)}</p>
        {known ? (
          <p>
            <Trans>Code {errCode}</Trans>
          </p>
        ) : null}
      </StatePage>
    </div>
  );
}

function noticeOf(type: string, known: Notices): Notice {
  return (Object.hasOwn(known, type) && known[type]) || anyNotice;
}

/** When one notice replaces another on this page, the tapped button is removed with its focus. */
function focusWhenLost(element: HTMLDivElement | null): void {
  if (document.hasFocus() && document.activeElement === document.body) element?.focus({ preventScroll: true });
}
