import { tellOfArrows, tellOfKeyboard, tellOfTroubles } from '../../fixtures/ways/tell.ts';
import { ways } from '../../fixtures/ways/ways.ts';

for (const way of ways) {
  for (const language of way.languages) {
    tellOfKeyboard(way, language);
    tellOfArrows(way, language);
    tellOfTroubles(way, { language, screen: 'phone' });
    tellOfTroubles(way, { language, screen: 'desktop' });
  }
}
