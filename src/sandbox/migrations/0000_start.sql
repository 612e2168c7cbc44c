-- An installation of before may have some of these, with rows, from the shop's own migrations 0000 to 0005: they are
-- taken over as they are, and the others are made.
CREATE TABLE IF NOT EXISTS "sandbox_cards" (
	"token" text PRIMARY KEY NOT NULL,
	"mark" text NOT NULL,
	"card_brand" text NOT NULL,
	"last4" text NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"code_digits" integer NOT NULL,
	"does" jsonb NOT NULL,
	CONSTRAINT "sandbox_cards_mark_unique" UNIQUE("mark")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sandbox_charges" (
	"key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"gateway" text DEFAULT 'sandbox' NOT NULL,
	"method_code" text DEFAULT '' NOT NULL,
	"brand" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"decline_code" integer,
	"after_challenge" jsonb,
	"ripens" jsonb,
	"ripe_at" bigint,
	"public_id" text NOT NULL,
	"payload" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"return_url" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"paid_at" bigint,
	CONSTRAINT "sandbox_charges_public_id_unique" UNIQUE("public_id")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sandbox_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"gateway" text DEFAULT 'sandbox' NOT NULL,
	"body" text NOT NULL,
	"due_at" bigint NOT NULL,
	"repeats" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sandbox_paypal_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"status" text NOT NULL,
	"declines" boolean DEFAULT false NOT NULL,
	"capture_id" text,
	"refunded" boolean DEFAULT false NOT NULL,
	"custom_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"return_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "sandbox_paypal_orders_request_id_unique" UNIQUE("request_id")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sandbox_push_browsers" (
	"id" text PRIMARY KEY NOT NULL,
	"vapid_key" text NOT NULL,
	"gone" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sandbox_push_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"browser_id" text NOT NULL,
	"ttl" integer NOT NULL,
	"urgency" text NOT NULL,
	"topic" text,
	"body" "bytea" NOT NULL,
	"received_at" bigint NOT NULL
);
--> statement-breakpoint
DO $$ BEGIN
	IF NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'sandbox_push_messages_browser_id_sandbox_push_browsers_id_fk') THEN
		ALTER TABLE "sandbox_push_messages" ADD CONSTRAINT "sandbox_push_messages_browser_id_sandbox_push_browsers_id_fk" FOREIGN KEY ("browser_id") REFERENCES "public"."sandbox_push_browsers"("id") ON DELETE cascade ON UPDATE no action;
	END IF;
END $$;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_charges_ripe" ON "sandbox_charges" USING btree ("ripe_at") WHERE "sandbox_charges"."ripe_at" is not null and "sandbox_charges"."status" in ('challenge', 'waiting', 'approved');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_charges_phone" ON "sandbox_charges" USING btree (("details"->>'phone'),"created_at") WHERE "sandbox_charges"."kind" = 'mobile';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_notices_due" ON "sandbox_notices" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_push_messages_browser" ON "sandbox_push_messages" USING btree ("browser_id","received_at");