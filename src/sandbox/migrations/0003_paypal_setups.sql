CREATE TABLE "sandbox_paypal_setups" (
	"id" text PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"status" text NOT NULL,
	"customer_id" text NOT NULL,
	"exchange_id" text,
	"account_id" text,
	"declines" boolean DEFAULT false NOT NULL,
	"return_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "sandbox_paypal_setups_request_id_unique" UNIQUE("request_id")
);
