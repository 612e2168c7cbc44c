import { msg } from '@lingui/core/macro';

/** What the links of our mails lead to, by the `type` of the notice page. */
export const recoveryNotices = {
  activated: {
    art: 'succeeded',
    title: msg`Your email is confirmed`,
    text: msg`Receipts and news about your account now reach you.`,
    to: '/account',
    action: msg`Go to your account`,
  },
  passwordChanged: {
    art: 'succeeded',
    title: msg`Your password is changed`,
    text: msg`You were logged out on every device. Log in with the new password.`,
    to: '/login',
    action: msg`Log in`,
  },
  linkGone: {
    art: 'failed',
    title: msg`This link is no longer available`,
    text: msg`It was used already, is too old, or a newer one was sent. Ask for another where you asked for this one.`,
    to: '/account',
    action: msg`Go to your account`,
  },
  emailBound: {
    art: 'succeeded',
    title: msg`This email now belongs to your account`,
    text: msg`You can log in with it, and your receipts go there.`,
    to: '/account',
    action: msg`Go to your account`,
  },
  emailNotBound: {
    art: 'failed',
    title: msg`We could not add this email to your account`,
    text: msg`Another account uses it by now. Choose another address, or write to us.`,
    to: '/help',
    action: msg`Get help`,
  },
} as const;
