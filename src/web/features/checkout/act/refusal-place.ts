import type { RefusalParams } from '#contract/envelope.ts';
import { errorEntry, errorNameOf, errorRule, searchOf } from '#contract/error-codes.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { requiredKeys, type RequiredGroup, type PayerKey } from '#web/domain/payments/payer/payer-form.ts';
import { refusedInput } from '#web/domain/payments/payer/refused-input.ts';
import type { PayNotice, PayState } from './pay-machine.ts';

/** The one place where a refusal is told. */
export type RefusalPlace =
  /** nothing can be bought on this page, and another one says why */
  | { readonly at: 'page'; readonly path: string }
  | { readonly at: 'discountCode' }
  /** another card has to be chosen */
  | { readonly at: 'savedCard' }
  /** a captcha has to be solved first */
  | { readonly at: 'captcha' }
  | { readonly at: 'input'; readonly key: PayerKey }
  /** no input on the screen can mend it: above them, or in place of the price */
  | { readonly at: 'notice' };

interface Refused {
  readonly code?: number | undefined;
  /** the part of the request that was refused, as the server calls it */
  readonly field?: string | undefined;
}

/** Where the refusal of a payment or of its price is told, on a form that asks for these groups. */
export function placeOfRefusal({ code, field }: Refused, asked: readonly RequiredGroup[] = []): RefusalPlace {
  const entry = errorEntry(errorNameOf(code));
  const path = code === undefined ? undefined : pageInstead(code);
  if (path !== undefined) return { at: 'page', path };
  if (entry?.field === 'discountCode' || entry?.field === 'savedCard' || entry?.field === 'captcha')
    return { at: entry.field };
  const key = refusedInput({ code, field }, asked);
  if (asked.includes('savedCode') && (key === 'number' || key === 'expiry')) return { at: 'savedCard' };
  return key && requiredKeys(asked).includes(key) ? { at: 'input', key } : { at: 'notice' };
}

/** A page that a code opens for good. Detours and the ends of sessions are the API client's to deal with. */
function pageInstead(code: number): string | undefined {
  const { opens, endsSession } = errorRule(errorNameOf(code));
  if (!opens || opens.detour || opens.scene || endsSession) return undefined;
  const search = String(new URLSearchParams(searchOf(code, opens)));
  return search === '' ? opens.to : `${opens.to}?${search}`;
}

/** A refusal with its place. `source` is the same object for as long as the refusal stands. */
export interface Refusal<Source> {
  readonly source: Source;
  readonly code: number | undefined;
  /** another order that stands in the way */
  readonly orderId: string | undefined;
  /** what the discount code is for */
  readonly onlyFor: RefusalParams['onlyFor'];
  readonly place: RefusalPlace;
}

/** What a payment came to rest with instead of an answer. */
export function refusalOfPayment(state: PayState, asked: readonly RequiredGroup[]): Refusal<PayNotice> | undefined {
  const source = state.phase === 'idle' ? state.notice : undefined;
  if (!source) return undefined;
  const refused = source.kind === 'refused' || source.kind === 'declined' ? source : undefined;
  const onlyFor = source.kind === 'refused' ? source.onlyFor : undefined;
  return {
    source,
    code: refused?.code,
    orderId: refused?.orderId,
    onlyFor,
    place: placeOfRefusal(refused ?? {}, asked),
  };
}

/** Why there is no price: where nothing better is known, that stands in the place of the price. */
export function refusalOfPrice(source: Error | null): Refusal<Error> | undefined {
  if (!source) return undefined;
  const { code, params } = source instanceof ApiError ? source : {};
  return { source, code, orderId: params?.orderId, onlyFor: params?.onlyFor, place: placeOfRefusal({ code }) };
}
