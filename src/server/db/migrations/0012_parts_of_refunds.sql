CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"order_id" text NOT NULL,
	"attempt_id" text NOT NULL,
	"number" integer NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text NOT NULL,
	"ends_access" boolean DEFAULT false NOT NULL,
	"provider_ref" text,
	"why" text,
	"asked_at" bigint NOT NULL,
	"ended_at" bigint,
	"next_try_at" bigint
);
--> statement-breakpoint
DROP INDEX "transfers_given_back";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "receipt" jsonb;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_number" ON "refunds" USING btree ("attempt_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_provider_ref" ON "refunds" USING btree ("attempt_id","provider_ref") WHERE "refunds"."provider_ref" is not null;--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_to_ask" ON "refunds" USING btree ("next_try_at") WHERE "refunds"."next_try_at" is not null;