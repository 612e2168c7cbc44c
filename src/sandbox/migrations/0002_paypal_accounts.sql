CREATE TABLE "sandbox_paypal_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"declines" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox_paypal_orders" ADD COLUMN "saves" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_paypal_orders" ADD COLUMN "account_id" text;