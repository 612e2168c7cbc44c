CREATE TABLE "kept_payers" (
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "kept_payers_brand_uid_pk" PRIMARY KEY("brand","uid")
);
--> statement-breakpoint
CREATE TABLE "stray_notices" (
	"gateway" text NOT NULL,
	"event_id" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"provider_ref" text,
	"amount" bigint,
	"currency" text,
	"received_at" bigint NOT NULL,
	CONSTRAINT "stray_notices_gateway_event_id_pk" PRIMARY KEY("gateway","event_id")
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "card_last4" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "buyer" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "service_changes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "rejection" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "seller" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "buyer" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "card_last4" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "held_until" bigint;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "rejection" jsonb;--> statement-breakpoint
ALTER TABLE "kept_payers" ADD CONSTRAINT "kept_payers_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stray_notices_time" ON "stray_notices" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "attempts_orphaned" ON "attempts" USING btree ("updated_at") WHERE "attempts"."state" = 'ORPHANED';--> statement-breakpoint
CREATE INDEX "subscriptions_held" ON "subscriptions" USING btree ("held_until") WHERE "subscriptions"."held_until" is not null;--> statement-breakpoint
CREATE INDEX "transfers_reference" ON "transfers" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "transfers_unseen" ON "transfers" USING btree ("created_at") WHERE ("transfers"."state" = 'reviewing' or ("transfers"."state" = 'closed' and "transfers"."object_id" is not null and "transfers"."reviewed_at" is null));--> statement-breakpoint
CREATE INDEX "transfers_given_back" ON "transfers" USING btree ("reviewed_at") WHERE "transfers"."state" = 'refunded';