import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  goodsValuation,
  installmentsPlan,
  paymentMethods,
  type InstallmentOption,
  type PaymentMethod,
  type Quote,
} from '#contract/billing.ts';
import type { Money } from '#contract/money.ts';
import { q } from '#web/platform/api/query.ts';
import type { Choices } from '../use-choices.ts';

/** Plan, method and currency: the input of every price. */
export interface PriceInput {
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly discountCode?: string | undefined;
  /** the order that is repaid: its own coupon stays valid for it */
  readonly orderId?: string | undefined;
}

export interface Purchase {
  readonly input: PriceInput;
  readonly methods: readonly PaymentMethod[];
  readonly method: PaymentMethod;
  readonly quote: Quote | undefined;
  /** the displayed price belongs to the previous choice */
  readonly outdated: boolean;
  /** no price is known yet, of this choice or a previous one, and none has failed to load */
  readonly priceLoads: boolean;
  readonly priceError: Error | null;
  readonly retryPrice: () => void;
  readonly options: readonly InstallmentOption[];
  readonly installments: number;
  /** the total charge, including interest */
  readonly charged: Money | undefined;
  readonly renewal: Renewal;
}

/** Whether the plan shall renew, and the terms; `chosen` is false if it cannot. */
interface Renewal {
  readonly offer: Quote['renewal'];
  readonly chosen: boolean;
  /** this order is a renewal: its agreement continues, whatever card pays now */
  readonly goesOn: boolean;
}

interface PurchaseSettings {
  readonly planId: string;
  readonly currency: string;
  readonly methods: readonly PaymentMethod[];
  readonly method: PaymentMethod;
  readonly defaultInstallment: number;
  /** the order that is repaid */
  readonly orderId: string | undefined;
  readonly choices: Choices;
  /** renewal is preselected until the customer declines it, if the brand's country allows that */
  readonly renewsFirst: boolean;
  /** the order that is repaid is a renewal */
  readonly goesOn: boolean;
}

const quietly = { quiet: true } as const;

/**
 * The methods of a plan in a currency, without those whose provider charges no total as small as the coupon leaves. The
 * previous list stays while the next one is loading.
 */
export function useMethods({ discountCode, orderId, ...asked }: Omit<PriceInput, 'methodCode'>) {
  const coupon = discountCode === undefined ? {} : { discountCode, ...(orderId !== undefined && { orderId }) };
  return useQuery({
    ...q(paymentMethods, { body: { ...asked, ...coupon } }, quietly),
    placeholderData: keepPreviousData,
  });
}

/** The query of a price; refetched for every change of method, coupon or currency. */
export function quoteQuery(input: PriceInput) {
  return q(goodsValuation, { body: requestOf(input) }, quietly);
}

export function installmentsQuery(input: PriceInput) {
  return q(installmentsPlan, { body: requestOf(input) }, quietly);
}

function requestOf({ discountCode, orderId, ...rest }: PriceInput) {
  return {
    ...rest,
    ...(discountCode === undefined ? {} : { discountCode }),
    ...(orderId === undefined ? {} : { orderId }),
  };
}

/** Whether a method allows installments. */
export function hasInstallments(method: PaymentMethod): boolean {
  return method.maxInstallments > 1;
}

export function usePurchase(settings: PurchaseSettings): Purchase {
  const { planId, currency, methods, method, orderId, choices, goesOn } = settings;
  const discountCode = choices.chosen.discountCode;
  const input: PriceInput = { planId, methodCode: method.code, currency, discountCode, orderId };
  // while the methods of another currency are loading, the previous method may not accept it and has no price in it
  const sold = method.currencies.includes(currency);
  const quote = useQuery({ ...quoteQuery(input), enabled: sold, placeholderData: keepPreviousData });
  const plan = useQuery({
    ...installmentsQuery(input),
    enabled: sold && hasInstallments(method),
    placeholderData: keepPreviousData,
  });
  const client = useQueryClient();
  const options = hasInstallments(method) ? (plan.data ?? []) : [];
  const installments = chosenInstallments(options, choices.chosen.installments, settings.defaultInstallment);
  const offer = method.renews && !goesOn ? (quote.data?.renewal ?? null) : null;
  const priceError = quote.error ?? (hasInstallments(method) ? plan.error : null);
  const outdated = quote.isPlaceholderData || (hasInstallments(method) && plan.isPlaceholderData);
  return {
    input,
    methods,
    method,
    quote: quote.data,
    outdated,
    priceLoads: (quote.isLoading || plan.isLoading) && !priceError,
    priceError,
    retryPrice: () => void client.refetchQueries({ predicate: ({ queryKey }) => isPrice(queryKey[0]) }),
    options,
    installments,
    charged: quote.data && chargedTotal(quote.data.total, options, installments),
    renewal: { offer, chosen: offer !== null && (choices.chosen.renew ?? settings.renewsFirst), goesOn },
  };
}

const isPrice = (name: unknown) => name === goodsValuation.name || name === installmentsPlan.name;

/** The initial option: the site's default, or the highest that this method allows below it. */
export function initialInstallments(options: readonly InstallmentOption[], wanted: number): number {
  const counts = options.map((option) => option.count).toSorted((a, b) => a - b);
  return counts.findLast((count) => count <= wanted) ?? counts[0] ?? 1;
}

/** The chosen option while it is offered, else the initial one. */
export function chosenInstallments(
  options: readonly InstallmentOption[],
  chosen: number | undefined,
  wanted: number,
): number {
  return options.some((option) => option.count === chosen) && chosen !== undefined
    ? chosen
    : initialInstallments(options, wanted);
}

/** The total charged to the card, including interest. */
export function chargedTotal(total: Money, options: readonly InstallmentOption[] | undefined, count: number): Money {
  return options?.find((option) => option.count === count)?.total ?? total;
}
