import type { ChargeKind } from '../../db/schema.ts';
import { card } from './card.ts';
import type { Family } from './family.ts';
import { pix } from './pix.ts';

/** Every way to pay that the sandbox bank plays. */
export const families: Partial<Record<ChargeKind, Family>> = { card, pix };
