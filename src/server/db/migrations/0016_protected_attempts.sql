ALTER TABLE "attempts" ADD COLUMN "terms" jsonb;--> statement-breakpoint
-- The order has the terms of its latest attempt, and only one attempt can be live.
UPDATE "attempts" SET "terms" = jsonb_build_object('methodNames', "orders"."method_names", 'flow', "orders"."flow",
    'original', "orders"."original", 'discount', "orders"."discount", 'discountCode', "orders"."discount_code")
  FROM "orders" WHERE "orders"."order_id" = "attempts"."order_id" AND "attempts"."state" IN ('INTENT', 'PENDING');--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "buyer_sealed" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "buyer_sealed" text;--> statement-breakpoint
CREATE INDEX "attempts_unprotected" ON "attempts" USING btree ("updated_at") WHERE ("attempts"."buyer" is not null or length("attempts"."request_hash") = 64);--> statement-breakpoint
CREATE INDEX "orders_unprotected" ON "orders" USING btree ("order_id") WHERE "orders"."buyer" is not null;--> statement-breakpoint
CREATE INDEX "mail_bounces_age" ON "mail_bounces" USING btree ("at");