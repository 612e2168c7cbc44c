import type { Policies } from '../documents.ts';

export const english: Policies = {
  privacy: {
    title: 'Privacy Policy',
    sections: [
      [
        'Who is responsible',
        '{name} decides why and how your data is used when you visit this site, open an account or buy a plan. Write to {mail} with any question about this policy.',
      ],
      [
        'What we collect',
        'Your account: the e-mail address or phone number that you register with, a nickname if you choose one, your language, and your password in a form that cannot be read back.',
        'Your purchases: plan, price, payment method, status and dates. If the payment method asks for it, also your name, tax number, phone and address, which go to the payment provider.',
        'Your sign-ins: time, kind of device and IP address of your latest sign-ins, so that you can see whether someone else used your account.',
        'How the site is used: which pages are opened and for how long, without your name, without what you type and without full addresses of pages.',
      ],
      [
        'What we never keep',
        'The number and security code of your card pass through to the payment provider and are not stored, logged or cached by us.',
      ],
      [
        'Why we use it',
        'To give you the service that you pay for, to take and return payments, to protect accounts against misuse, to meet tax and accounting duties, and, if you agreed to it, to send you offers. You can switch offers off in your account at any time.',
      ],
      [
        'Who else sees it',
        'Payment providers and banks receive what a payment needs. Companies that run our servers and send our mail work on our instructions. Authorities receive data only where the law demands it. We do not sell your data.',
      ],
      [
        'How long we keep it',
        'Account data as long as the account exists. Purchase records as long as tax law demands. Sign-in sessions end after 10 days.',
      ],
      [
        'Your rights',
        'You may ask for a copy of your data, have it corrected or deleted, object to its use, or take it elsewhere. Write to {mail}; we answer within 15 days. You may also turn to the data protection authority of your country.',
      ],
      [
        'On your device',
        'This site sets no cookies. It keeps your language, your session and a copy of plans and orders on your device so that pages open without a connection. Logging out removes what belongs to you.',
      ],
    ],
  },
  terms: {
    title: 'Terms of Use',
    sections: [
      [
        'The service',
        '{name} is a personal media player for Android phones, TV boxes and smart TVs. A plan gives you access for a number of days and on a number of devices at the same time. It does not include films, series or channels: you play what you have the right to play.',
      ],
      [
        'Your account',
        'You need an account to buy. Give a true address, keep your password to yourself and tell us if someone else uses it. An account is for you and your household.',
      ],
      [
        'Prices and payment',
        'The price that you confirm before paying is the price you pay, with any interest for installments shown beside it. Where a time to pay is shown, the payment must arrive before it; after that, the order expires and you can pay it again.',
      ],
      [
        'Duration',
        'Access starts when the payment has arrived. A plan that you buy while another one is running adds its days to the remaining ones. A plan ends by itself.',
      ],
      [
        'Changing your mind',
        'You may withdraw from a purchase within 7 days, or longer where your law says so. Write to {mail} with the number of your order; the money goes back the way it came.',
      ],
      [
        'What is not allowed',
        'Reselling access, going around the limit of devices, disturbing the service or using it to break the rights of others. We may then suspend an account after telling you why.',
      ],
      [
        'Our responsibility',
        'We keep the service running with care. If it fails for longer than a day, we add the lost time to your plan. Nothing here limits the rights that consumer law gives you.',
      ],
    ],
  },
};
