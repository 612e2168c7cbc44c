import { tellOfKeyboard, tellOfTroubles } from '../fixtures/ways/tell.ts';
import { ways } from '../fixtures/ways/ways.ts';

/**
 * Each way once, in the next language of its brand and in turns at a phone and at a desktop; `npm run proof:ways` goes
 * every way in every language on both. Mobile money that asks on the payer's phone is one program under six names, of
 * which M-Pesa stands for the others here.
 */
const likeMpesa = new Set(['free', 'mtn', 'airtel', 'zamtel', 'tnm']);

for (const [turn, way] of ways.entries()) {
  const language = way.languages[turn % way.languages.length] ?? 'en';
  tellOfKeyboard(way, language);
  if (!likeMpesa.has(way.method)) tellOfTroubles(way, { language, screen: turn % 2 === 0 ? 'phone' : 'desktop' });
}
