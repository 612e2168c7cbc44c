ALTER TABLE "brands" ADD COLUMN "security_contact" text;--> statement-breakpoint
ALTER TABLE "brands" ADD COLUMN "demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "letters" ADD COLUMN "asker" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "kind" text DEFAULT 'customer' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "box_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "box_maker" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "box_model" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "evictions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "evicted_at" bigint;--> statement-breakpoint
ALTER TABLE "verification_codes" ADD COLUMN "request" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "verification_codes" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "verification_codes" DROP CONSTRAINT "verification_codes_brand_account_scene_pk";--> statement-breakpoint
ALTER TABLE "verification_codes" ADD CONSTRAINT "verification_codes_brand_account_scene_request_pk" PRIMARY KEY("brand","account","scene","request");--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "give_back_at" bigint;--> statement-breakpoint
-- what was paid twice before captures were marked, and is still here
WITH "captures" AS (
  SELECT "id", row_number() OVER (PARTITION BY "order_id" ORDER BY "at", "id") AS "place" FROM "ledger" WHERE "kind" = 'capture'
)
UPDATE "ledger" SET "give_back_at" = "ledger"."at" FROM "captures"
WHERE "captures"."place" > 1 AND "captures"."id" = "ledger"."id"
  AND (SELECT sum("own"."amount") FROM "ledger" "own" WHERE "own"."attempt_id" = "ledger"."attempt_id") > 0;--> statement-breakpoint
ALTER TABLE "ledger" ALTER COLUMN "give_back_at" SET DEFAULT 0;--> statement-breakpoint
CREATE INDEX "ledger_to_give_back" ON "ledger" USING btree ("give_back_at") WHERE "ledger"."kind" = 'capture' and "ledger"."give_back_at" is not null;--> statement-breakpoint
-- the demonstration's brands as earlier builds seeded them; one whose address somebody has changed is their own by now
UPDATE "brands" SET "demo" = true WHERE ("code", "origin") IN (
  ('lumen', 'http://localhost'), ('mego', 'http://mego.localhost'), ('baobab', 'http://baobab.localhost')
);--> statement-breakpoint
-- names that boxes sent by themselves before there was a list of them
UPDATE "device_grants" SET "device" = '', "model" = '';--> statement-breakpoint
CREATE INDEX "analytics_events_age" ON "analytics_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "attempts_to_ask" ON "attempts" USING btree ((case "state" when 'INTENT' then "updated_at" - 315360000000
    when 'PENDING' then least("updated_at" + least(600000, ("updated_at" - "created_at") / 8), "expires_at") end)) WHERE (case "attempts"."state" when 'INTENT' then "attempts"."updated_at" - 315360000000
    when 'PENDING' then least("attempts"."updated_at" + least(600000, ("attempts"."updated_at" - "attempts"."created_at") / 8), "attempts"."expires_at") end) is not null;--> statement-breakpoint
CREATE INDEX "attempts_paypal" ON "attempts" USING btree ("provider_ref") WHERE "attempts"."gateway" = 'paypal';--> statement-breakpoint
CREATE INDEX "captchas_end" ON "captchas" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "device_grants_end" ON "device_grants" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "device_grants_user" ON "device_grants" USING btree ("brand","uid");--> statement-breakpoint
CREATE INDEX "login_records_time" ON "login_records" USING btree ("at");--> statement-breakpoint
CREATE INDEX "mail_links_end" ON "mail_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "orders_history" ON "orders" USING btree ("brand","uid","created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("brand","uid","created_at") WHERE "orders"."status" in ('SUBMITTED', 'PAYMENT_PENDING');--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("brand","uid","paid_at") WHERE "orders"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_abandoned" ON "orders" USING btree ("expires_at") WHERE "orders"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("next_try_at") WHERE "outbox"."sent_at" is null and "outbox"."tries" < 12;--> statement-breakpoint
CREATE INDEX "outbox_sent" ON "outbox" USING btree ("sent_at") WHERE "outbox"."sent_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_given_up" ON "outbox" USING btree ("created_at") WHERE "outbox"."sent_at" is null and "outbox"."tries" >= 12;--> statement-breakpoint
CREATE INDEX "sandbox_charges_ripe" ON "sandbox_charges" USING btree ("ripe_at") WHERE "sandbox_charges"."ripe_at" is not null and "sandbox_charges"."status" in ('challenge', 'waiting', 'approved');--> statement-breakpoint
CREATE INDEX "sandbox_charges_phone" ON "sandbox_charges" USING btree (("details"->>'phone'),"created_at") WHERE "sandbox_charges"."kind" = 'mobile';--> statement-breakpoint
CREATE INDEX "sandbox_notices_due" ON "sandbox_notices" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "sessions_end" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spent_tokens_end" ON "spent_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "throttles_end" ON "throttles" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "transfers_proof" ON "transfers" USING btree ("object_id") WHERE "transfers"."object_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_time" ON "uploads" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "verification_codes_end" ON "verification_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_events_time" ON "webhook_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "webhook_events_refunds" ON "webhook_events" USING btree ("gateway","event_id" text_pattern_ops) WHERE "webhook_events"."event_id" like 'refund %';--> statement-breakpoint
DROP INDEX "analytics_events_time";--> statement-breakpoint
DROP INDEX "attempts_open";--> statement-breakpoint
DROP INDEX "orders_owner";--> statement-breakpoint
DROP INDEX "outbox_due";