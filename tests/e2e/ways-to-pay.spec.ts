import { keyboardScenario, troubleScenarios, type Trouble } from '../fixtures/ways/scenarios.ts';
import { ways } from '../fixtures/ways/ways.ts';

/**
 * Each program that pays once, in the next language of its brand, and in turns at a phone and at a desktop, and each step
 * with half of the troubles, so that each of these is met at several; `npm run proof:ways` goes every way in every language on
 * both through all troubles, and with nothing but a keyboard or arrows. Of ways that are one program under several names,
 * the first stands for the others where things go wrong: cards, pages of a provider, proofs of a transfer.
 */
const likeAnother = new Set(['MTN MoMo', 'a card by UseePay', 'Alipay', 'Caishen']);

/** Mobile money that asks on the payer's phone, as MTN's and M-Pesa's do; nothing but the name is another. */
const byName = new Set(['Free Money', 'Airtel Money', 'Zamtel Kwacha', 'TNM Mpamba']);

/** One step after the other. Back and a no lead elsewhere at each step, so every one meets them. */
const turns: readonly (readonly Trouble[])[] = [
  ['late', 'offline'],
  ['elsewhere', 'ended'],
];

const walked = ways.filter(({ name }) => !byName.has(name));
const firstWithStep = walked.filter((way) => walked.find(({ step }) => step === way.step) === way);

for (const [turn, way] of walked.entries()) {
  const language = way.languages[turn % way.languages.length] ?? 'en';
  if (likeAnother.has(way.name) || turn === 0) keyboardScenario(way, language);
  if (likeAnother.has(way.name)) continue;
  const screen = turn % 2 === 0 ? 'phone' : 'desktop';
  const place = firstWithStep.indexOf(way);
  const meets: readonly Trouble[] = place < 0 ? [] : ['no', ...(turns[place % turns.length] ?? [])];
  troubleScenarios(way, { language, screen, meets: ['back', ...meets] });
}
