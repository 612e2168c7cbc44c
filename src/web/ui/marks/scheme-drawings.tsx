import type { ComponentType } from 'react';
import { byName, findDrawing } from './drawings.ts';
import UnknownCoin from './coins/unknown.svg?react';
import Card from './families/card.svg?react';

const schemes = byName(
  import.meta.glob<ComponentType>('./schemes/*.svg', { query: '?react', import: 'default', eager: true }),
);
const coins = byName(
  import.meta.glob<ComponentType>('./coins/*.svg', { query: '?react', import: 'default', eager: true }),
);

/** Rendered in the frame of `method-mark.tsx`; an unknown scheme is drawn as a card. */
export function SchemeDrawing({ scheme }: { scheme: string }) {
  return findDrawing(schemes, scheme) ?? <Card />;
}

/** An unknown coin is drawn without a symbol. */
export function CoinDrawing({ coin }: { coin: string }) {
  return findDrawing(coins, coin.toLowerCase()) ?? <UnknownCoin />;
}
