-- Amounts in these currencies were stored with two digits; from now on with those of ISO 4217 (contract/currencies.ts).
-- UseePay was sent the stored number as it is, so what it has charged already stands as it was charged.
CREATE OR REPLACE FUNCTION pg_temp.iso_amount(amount numeric, currency text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN currency IN ('BIF', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'VND', 'VUV', 'XPF') THEN round(amount / 100)
    WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN amount * 10
    ELSE amount
  END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION pg_temp.iso_amounts(amounts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, pg_temp.iso_amount(value::numeric, key)), '{}') FROM jsonb_each_text(amounts)
$$;--> statement-breakpoint
UPDATE "plans" SET "prices" = pg_temp.iso_amounts("prices"), "list_prices" = pg_temp.iso_amounts("list_prices")
  WHERE "prices" <> pg_temp.iso_amounts("prices") OR "list_prices" <> pg_temp.iso_amounts("list_prices");--> statement-breakpoint
UPDATE "brands" SET "config" = jsonb_set("config", '{payment,smallestInstallment}', pg_temp.iso_amounts("config" #> '{payment,smallestInstallment}'))
  WHERE "config" #> '{payment,smallestInstallment}' <> pg_temp.iso_amounts("config" #> '{payment,smallestInstallment}');--> statement-breakpoint
UPDATE "coupons" SET "value" = pg_temp.iso_amount("value", "currency")
  WHERE "kind" = 'amount' AND "value" <> pg_temp.iso_amount("value", "currency");--> statement-breakpoint
UPDATE "orders" SET "original" = pg_temp.iso_amount("original", "currency"), "total" = pg_temp.iso_amount("total", "currency"),
    "discount" = pg_temp.iso_amount("original", "currency") - pg_temp.iso_amount("total", "currency"), "refunded" = pg_temp.iso_amount("refunded", "currency")
  WHERE "original" <> pg_temp.iso_amount("original", "currency")
    AND NOT EXISTS (SELECT 1 FROM "attempts" WHERE "attempts"."order_id" = "orders"."order_id" AND "attempts"."gateway" = 'useepay');--> statement-breakpoint
UPDATE "ledger" SET "amount" = pg_temp.iso_amount("amount", "currency")
  WHERE "amount" <> pg_temp.iso_amount("amount", "currency")
    AND NOT EXISTS (SELECT 1 FROM "attempts" WHERE "attempts"."id" = "ledger"."attempt_id" AND "attempts"."gateway" = 'useepay');--> statement-breakpoint
UPDATE "refunds" SET "amount" = pg_temp.iso_amount("amount", "currency")
  WHERE "amount" <> pg_temp.iso_amount("amount", "currency")
    AND NOT EXISTS (SELECT 1 FROM "attempts" WHERE "attempts"."id" = "refunds"."attempt_id" AND "attempts"."gateway" = 'useepay');--> statement-breakpoint
UPDATE "attempts" SET "amount" = pg_temp.iso_amount("amount", "currency"), "renew_price" = pg_temp.iso_amount("renew_price", "currency")
  WHERE "amount" <> pg_temp.iso_amount("amount", "currency") AND "gateway" <> 'useepay';--> statement-breakpoint
UPDATE "stray_notices" SET "amount" = pg_temp.iso_amount("amount", "currency")
  WHERE "amount" <> pg_temp.iso_amount("amount", "currency") AND "gateway" <> 'useepay';--> statement-breakpoint
UPDATE "subscriptions" SET "price" = pg_temp.iso_amount("price", "currency"), "told_price" = pg_temp.iso_amount("told_price", "currency")
  WHERE "price" <> pg_temp.iso_amount("price", "currency");--> statement-breakpoint
UPDATE "transfers" SET "amount" = pg_temp.iso_amount("amount", "currency") WHERE "amount" <> pg_temp.iso_amount("amount", "currency");
