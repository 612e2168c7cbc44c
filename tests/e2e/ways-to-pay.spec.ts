import { keyboardScenario, troubleScenarios, type Trouble } from '../fixtures/ways/scenarios.ts';
import { ways } from '../fixtures/ways/ways.ts';

/**
 * Each way once, in the next language of its brand, and in turns at a phone and at a desktop; `npm run proof:ways` goes
 * every way in every language on both through all troubles, and with nothing but a keyboard or arrows. Of ways that are one
 * program under several names, the first stands for the others where things go wrong: mobile money that asks on the payer's
 * phone, cards, pages of a provider, proofs of a transfer.
 */
const likeAnother = new Set([
  'Free Money',
  'MTN MoMo',
  'Airtel Money',
  'Zamtel Kwacha',
  'TNM Mpamba',
  'a card by UseePay',
  'Alipay',
  'Caishen',
]);

const firstWithStep = ways.filter((way) => ways.find(({ step }) => step === way.step) === way);

for (const [turn, way] of ways.entries()) {
  const language = way.languages[turn % way.languages.length] ?? 'en';
  if (likeAnother.has(way.name) || turn === 0) keyboardScenario(way, language);
  if (likeAnother.has(way.name)) continue;
  const screen = turn % 2 === 0 ? 'phone' : 'desktop';
  const place = firstWithStep.indexOf(way);
  // who loses the network or the app is helped by the same at every step, so these two take turns
  const meets: Trouble[] = ['late', 'no', 'elsewhere', place % 2 === 0 ? 'offline' : 'ended'];
  troubleScenarios(way, { language, screen, meets: place < 0 ? ['back'] : ['back', ...meets] });
}
