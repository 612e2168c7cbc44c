import type { ChargeKind } from '../gateway/protocol.ts';
import { card } from './card.ts';
import { coin } from './coin.ts';
import type { Family } from './family.ts';
import { mobile } from './mobile.ts';
import { pix } from './pix.ts';
import { slip } from './slip.ts';
import { wallet } from './wallet.ts';

/** Every payment method family that the sandbox bank simulates. */
export const families: Readonly<Record<ChargeKind, Family>> = { card, pix, slip, mobile, wallet, coin };
