import { troubles, troubleScenarios } from '#tests/fixtures/payment-flows/scenarios.ts';
import { ways } from '#tests/fixtures/payment-flows/payment-flows.ts';

/**
 * Each step at which a payment can wait, with the next kind of trouble and the next language of its brand, alternately
 * on a phone and a desktop. `npm run verify:ways` combines all methods, languages, screens and troubles.
 */
const firstWithStep = ways.filter((way) => ways.find(({ step }) => step === way.step) === way);

for (const [index, way] of firstWithStep.entries()) {
  const language = way.languages[index % way.languages.length] ?? 'en';
  const trouble = troubles[index % troubles.length] ?? 'back';
  troubleScenarios(way, { language, screen: index % 2 === 0 ? 'phone' : 'desktop', meets: [trouble] });
}
