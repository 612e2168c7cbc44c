CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"who" text NOT NULL,
	"why" text NOT NULL,
	"command" text NOT NULL,
	"brand" text,
	"subject" text,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "brand_pictures" (
	"brand" text NOT NULL,
	"path" text NOT NULL,
	"type" text NOT NULL,
	"hash" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "brand_pictures_brand_path_pk" PRIMARY KEY("brand","path")
);
--> statement-breakpoint
CREATE TABLE "mail_bounces" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mpesa_pushes" (
	"key" text PRIMARY KEY NOT NULL,
	"checkout_request_id" text,
	"result_code" text,
	"receipt" text,
	"created_at" bigint NOT NULL,
	"reversal_asked_at" bigint,
	"reversed_at" bigint
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "asked_at" bigint;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "expires_at" bigint;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "told_price" bigint;--> statement-breakpoint
ALTER TABLE "brand_pictures" ADD CONSTRAINT "brand_pictures_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("brand","subject","at");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "attempts_failed" ON "attempts" USING btree ("updated_at") WHERE "attempts"."state" = 'FAILED';--> statement-breakpoint
CREATE INDEX "ledger_time" ON "ledger" USING btree ("at");--> statement-breakpoint
CREATE INDEX "users_account_start" ON "users" USING btree ("account" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_account_end" ON "users" USING btree (reverse("account") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_other_start" ON "users" USING btree ((case when "account_type" = 'phone' then "email" else "phone" end) text_pattern_ops);