CREATE TABLE "sandbox_cards" (
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
CREATE TABLE "sandbox_paypal_orders" (
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
CREATE TABLE "saved_cards" (
	"card_id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"gateway" text NOT NULL,
	"method_code" text NOT NULL,
	"token" text NOT NULL,
	"card_brand" text NOT NULL,
	"last4" text NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"code_digits" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"used_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"key" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"flavour" text NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"payload" text,
	"receiver" jsonb NOT NULL,
	"state" text NOT NULL,
	"proof_rejected" boolean DEFAULT false NOT NULL,
	"object_id" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"reviewed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"object_id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "saves_card" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "gateway" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "method_code" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "ripens" jsonb;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "ripe_at" bigint;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_notices" ADD COLUMN "gateway" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_cards" ADD CONSTRAINT "saved_cards_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_cards_owner" ON "saved_cards" USING btree ("brand","uid","gateway","token");--> statement-breakpoint
CREATE INDEX "uploads_owner" ON "uploads" USING btree ("brand","uid","created_at");--> statement-breakpoint
CREATE INDEX "attempts_order" ON "attempts" USING btree ("order_id");