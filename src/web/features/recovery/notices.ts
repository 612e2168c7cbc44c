import { msg } from '@lingui/core/macro';

/** The notices of email links, by the `type` of the notice page. */
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
    text: msg`You were logged out on every device, and your passkeys were removed. Log in with the new password.`,
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
  restored: {
    art: 'succeeded',
    title: msg`Your account is yours again`,
    text: msg`Everybody was logged out. An email with a link for a new password is on its way to you.`,
    to: '/login',
    action: msg`Log in`,
  },
  notRestored: {
    art: 'failed',
    title: msg`We could not put everything back`,
    text: msg`Another account uses your old email or number by now. Write to us, and we look into it.`,
    to: '/help',
    action: msg`Get help`,
  },
  offersLink: {
    art: 'notice',
    title: msg`Open the link in the email once more`,
    text: msg`Its address is used once for each visit. You can also turn offers off in your settings.`,
    to: '/settings',
    action: msg`Go to your settings`,
  },
} as const;
