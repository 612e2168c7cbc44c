import type { Deps } from '../deps.ts';
import { meantOf, transfersNamed, type Reviewable } from '../payments/transfer/review.ts';
import { OperatorError } from './command.ts';

/** The transfers of an order, or the one that a reference names; they come as people write them. */
export async function transfersCalled({ db }: Pick<Deps, 'db'>, text: string): Promise<Reviewable[]> {
  const named = await transfersNamed(db, text.trim().toUpperCase());
  if (named.length === 0) throw new OperatorError(`There is no transfer for ${text}.`);
  return named;
}

/** The one that is meant; an order that was paid again by transfer has several. */
export function oneOf(named: readonly Reviewable[], text: string): Reviewable {
  const meant = meantOf(named);
  if (meant) return meant;
  const references = named.map(({ transfer }) => `${transfer.reference} (${transfer.state})`).join(', ');
  throw new OperatorError(`${text} has several transfers. Give the reference instead of the order: ${references}.`);
}
