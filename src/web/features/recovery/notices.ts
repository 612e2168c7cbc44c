import { msg } from '@lingui/core/macro';

/** The notices of email links, by the `type` of the notice page. */
export const recoveryNotices = {
  activated: {
    art: 'succeeded',
    title: msg`Your email is confirmed`,
    text: msg`You’ll now get receipts and account news by email.`,
    to: '/account',
    action: msg`Go to your account`,
  },
  passwordChanged: {
    art: 'succeeded',
    title: msg`Your password was changed`,
    text: msg`We’ve logged you out on every device and removed your passkeys. Log in with your new password.`,
    to: '/login',
    action: msg`Log in`,
  },
  linkGone: {
    art: 'failed',
    title: msg`This link is no longer available`,
    text: msg`It was already used, has expired or was replaced by a newer one. Request a new one where you requested this one.`,
    to: '/account',
    action: msg`Go to your account`,
  },
  emailBound: {
    art: 'succeeded',
    title: msg`This email is now part of your account`,
    text: msg`You can log in with it, and we’ll send your receipts there.`,
    to: '/account',
    action: msg`Go to your account`,
  },
  emailNotBound: {
    art: 'failed',
    title: msg`We couldn’t add this email to your account`,
    text: msg`Another account now uses it. Choose another address or contact us.`,
    to: '/help',
    action: msg`Get help`,
  },
  restored: {
    art: 'succeeded',
    title: msg`You have your account back`,
    text: msg`Everyone was logged out. We’ve emailed you a link to set a new password.`,
    to: '/login',
    action: msg`Log in`,
  },
  notRestored: {
    art: 'failed',
    title: msg`We couldn’t undo everything`,
    text: msg`Another account now uses your old email or number. Contact us and we’ll look into it.`,
    to: '/help',
    action: msg`Get help`,
  },
  offersLink: {
    art: 'notice',
    title: msg`Open the link in the email again`,
    text: msg`Each link works for one visit. You can also turn offers off in your settings.`,
    to: '/settings',
    action: msg`Go to your settings`,
  },
} as const;
