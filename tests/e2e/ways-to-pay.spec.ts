import { tellOfTroubles } from '../fixtures/ways/tell.ts';
import { ways } from '../fixtures/ways/ways.ts';

for (const way of ways) tellOfTroubles(way, { language: 'en', screen: 'phone' });
