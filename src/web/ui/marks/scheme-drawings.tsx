import type { ComponentType } from 'react';
import { byName, named } from './drawing.ts';
import UnknownCoin from './coins/unknown.svg?react';
import Card from './families/card.svg?react';

const schemes = byName(
  import.meta.glob<ComponentType>('./schemes/*.svg', { query: '?react', import: 'default', eager: true }),
);
const coins = byName(
  import.meta.glob<ComponentType>('./coins/*.svg', { query: '?react', import: 'default', eager: true }),
);

/** In the frame that `method-mark.tsx` draws; a scheme that has no mark here is a card. */
export function SchemeDrawing({ scheme }: { scheme: string }) {
  return named(schemes, scheme) ?? <Card />;
}

/** A coin that has no mark here is one without a sign. */
export function CoinDrawing({ coin }: { coin: string }) {
  return named(coins, coin.toLowerCase()) ?? <UnknownCoin />;
}
