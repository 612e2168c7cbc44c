import type { RefusalParams } from '#contract/envelope.ts';
import { errorEntry, errorNameOf, errorRule, searchOf } from '#contract/error-codes.ts';
import { callErrorOf } from '#web/platform/api/api-error.ts';
import { requiredKeys, type RequiredGroup, type PayerKey } from '#web/domain/payments/payer/payer-form.ts';
import { refusedInput } from '#web/domain/payments/payer/refused-input.ts';
import type { PayNotice, PayState } from './pay-machine.ts';

/** The one place where a refusal is shown. */
type RefusalPlace =
  /** nothing can be bought on this page, and another page explains why */
  | { readonly at: 'page'; readonly path: string }
  | { readonly at: 'discountCode' }
  /** another card has to be chosen */
  | { readonly at: 'savedCard' }
  /** a captcha has to be solved first */
  | { readonly at: 'captcha' }
  | { readonly at: 'input'; readonly key: PayerKey }
  /** no input on the screen can correct it: above the inputs, or instead of the price */
  | { readonly at: 'notice' };

interface Refused {
  readonly code?: number | undefined;
  /** the refused part of the request, by the server's name */
  readonly field?: string | undefined;
}

/** Where a refused payment or price is shown, on a form with these groups. */
export function placeOfRefusal({ code, field }: Refused, asked: readonly RequiredGroup[] = []): RefusalPlace {
  const entry = errorEntry(errorNameOf(code));
  const path = code === undefined ? undefined : replacingPage(code);
  if (path !== undefined) return { at: 'page', path };
  if (entry?.field === 'discountCode' || entry?.field === 'savedCard' || entry?.field === 'captcha')
    return { at: entry.field };
  const key = refusedInput({ code, field }, asked);
  if (asked.includes('savedCode') && (key === 'number' || key === 'expiry')) return { at: 'savedCard' };
  return key && requiredKeys(asked).includes(key) ? { at: 'input', key } : { at: 'notice' };
}

/** The page that an error opens permanently. The API client handles redirects and expired sessions. */
function replacingPage(code: number): string | undefined {
  const { opens, endsSession } = errorRule(errorNameOf(code));
  if (!opens || opens.detour || opens.scene || endsSession) return undefined;
  const search = String(new URLSearchParams(searchOf(code, opens)));
  return search === '' ? opens.to : `${opens.to}?${search}`;
}

/** A refusal with its place. `source` is the same object while the refusal lasts. */
export interface Refusal<Source> {
  readonly source: Source;
  readonly code: number | undefined;
  /** the conflicting order */
  readonly orderId: string | undefined;
  /** what the coupon is valid for */
  readonly onlyFor: RefusalParams['onlyFor'];
  readonly place: RefusalPlace;
}

/** The refusal that a payment ended with. */
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

/** Why there is no price. Shown instead of the price if there is no better place. */
export function refusalOfPrice(source: Error | null): Refusal<Error> | undefined {
  if (!source) return undefined;
  const { code, params } = callErrorOf(source) ?? {};
  return { source, code, orderId: params?.orderId, onlyFor: params?.onlyFor, place: placeOfRefusal({ code }) };
}
