import type { Draft } from '../documents.ts';
import { mobileMoney, soon, transfers, wallets } from './ways.ts';

export const englishHelp: Draft = {
  title: 'Help',
  sections: [
    {
      heading: 'How do I buy a plan?',
      paragraphs: [
        'Open Plans, choose one and tap Buy. Log in or create an account, choose how to pay and confirm. The days are in your account as soon as the payment has arrived.',
      ],
    },
    {
      heading: 'How can I pay?',
      paragraphs: [
        'Ways to pay: {methods}. Which of them you are offered depends on the currency.',
        {
          methods: ['card'],
          text: 'A card is confirmed within seconds. Your bank may ask you to agree on a page of its own.',
        },
        {
          methods: ['pix'],
          text: 'For Pix, scan the code in your bank’s app or copy it there. It is confirmed within minutes.',
        },
        {
          methods: ['boleto'],
          text: 'A Boleto can be paid in your bank’s app or at a counter until the last moment of its due date. It takes up to three working days to arrive.',
        },
        { methods: ['paypal'], text: 'PayPal opens its own page. Agree there, and you come back here by yourself.' },
        {
          methods: wallets,
          text: 'A wallet opens its own page or app. Agree there, and you come back here by yourself.',
        },
        {
          methods: ['crypto'],
          text: 'For cryptocurrency, choose a coin and send exactly the amount shown to the address shown. It counts once the network has confirmed it.',
        },
        {
          methods: transfers,
          text: 'For a transfer, send the amount with the reference shown, then send us a picture that proves it. A person checks it, which can take a working day.',
        },
        {
          methods: mobileMoney,
          text: 'For mobile money, type the number that pays and agree on that phone with your PIN. Some operators give you a code instead, which you type here.',
        },
      ],
    },
    {
      heading: 'I paid, but nothing has changed',
      paragraphs: [
        'Open Orders: a payment that is pending or being checked needs nothing more from you, so please do not pay again. It changes by itself.',
        {
          methods: soon,
          text: 'If it is still pending an hour after you paid, write to us with the number of your order.',
        },
        { methods: ['boleto'], text: 'A Boleto may take three working days.' },
        { methods: ['crypto'], text: 'Coins need some confirmations of their network first.' },
        { methods: transfers, text: 'A transfer waits for the person who checks it, a working day at most.' },
      ],
    },
    {
      heading: 'My card was declined',
      paragraphs: [
        'The message beside the card says what can be mended. Check the number, the date and the security code, try another card, or choose another method. A declined payment is not charged.',
      ],
      methods: ['card'],
    },
    {
      heading: 'The Pix code has expired',
      paragraphs: [
        'Open the order and tap "Generate a new code". If you paid the old code at the last moment, the payment is still recognised.',
      ],
      methods: ['pix'],
    },
    {
      heading: 'My phone does not ask me',
      paragraphs: [
        'Check that the phone is on and has a signal, and that you typed its number. If nothing comes, open the order and try again: nothing is charged before you agree with your PIN.',
      ],
      methods: mobileMoney,
    },
    {
      heading: 'I sent too few coins',
      paragraphs: ['Open the order: it says how much is still missing, and the same address takes the rest.'],
      methods: ['crypto'],
    },
    {
      heading: 'On how many devices can I watch?',
      paragraphs: [
        'As many at the same time as your plan says. With a plan for several devices running, a plan for one device can be bought once the running one has ended.',
      ],
    },
    {
      heading: 'I forgot my password',
      paragraphs: [
        'You choose a new one yourself: tell us the address or the number of your account, and we send a code or a link to it. We never ask for your password.',
      ],
      link: { to: '/forgot-password', text: 'Choose a new password' },
    },
    {
      heading: 'How do I reach you?',
      paragraphs: ['By e-mail at {mail}, every day from 9 to 21. Tell us the number of your order if you have one.'],
    },
  ],
};
