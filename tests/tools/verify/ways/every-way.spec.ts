import {
  remoteControlScenario,
  keyboardScenario,
  troubleScenarios,
  troubles,
} from '#tests/fixtures/payment-flows/scenarios.ts';
import { ways } from '#tests/fixtures/payment-flows/payment-flows.ts';

for (const way of ways) {
  for (const language of way.languages) {
    keyboardScenario(way, language);
    remoteControlScenario(way, language);
    troubleScenarios(way, { language, screen: 'phone', meets: troubles });
    troubleScenarios(way, { language, screen: 'desktop', meets: troubles });
  }
}
