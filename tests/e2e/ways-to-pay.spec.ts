import { troubles, troubleScenarios } from '#tests/fixtures/ways/scenarios.ts';
import { ways } from '#tests/fixtures/ways/ways.ts';

/**
 * Each step at which a payment can wait meets the next trouble, in the next language of its brand, and in turns at a phone
 * and at a desktop. `npm run verify:ways` goes every way in every language on both through all troubles, and with nothing but
 * a keyboard or arrows.
 */
const firstWithStep = ways.filter((way) => ways.find(({ step }) => step === way.step) === way);

for (const [turn, way] of firstWithStep.entries()) {
  const language = way.languages[turn % way.languages.length] ?? 'en';
  const trouble = troubles[turn % troubles.length] ?? 'back';
  troubleScenarios(way, { language, screen: turn % 2 === 0 ? 'phone' : 'desktop', meets: [trouble] });
}
