import { tellOfKeyboard, tellOfTroubles } from '../fixtures/ways/tell.ts';
import { ways } from '../fixtures/ways/ways.ts';

/**
 * Each kind of way once, in the next language of its brand and in turns at a phone and at a desktop; `npm run proof:ways`
 * goes every way in every language on both. Mobile money that asks on the payer's phone is one program under six names,
 * of which M-Pesa stands for the others here; a wallet and a transfer have one page each for two names.
 */
const likeMpesa = new Set(['free', 'mtn', 'airtel', 'zamtel', 'tnm']);
const likeAnother = new Set(['alipay', 'paynow']);

for (const [turn, way] of ways.entries()) {
  if (likeMpesa.has(way.method)) continue;
  const language = way.languages[turn % way.languages.length] ?? 'en';
  tellOfKeyboard(way, language);
  if (!likeAnother.has(way.method)) tellOfTroubles(way, { language, screen: turn % 2 === 0 ? 'phone' : 'desktop' });
}
