CREATE TABLE "analytics_events" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"at" bigint NOT NULL,
	"fields" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"request_hash" text NOT NULL,
	"gateway" text NOT NULL,
	"method_code" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"installments" integer NOT NULL,
	"state" text NOT NULL,
	"provider_ref" text,
	"next" jsonb,
	"failure_code" integer,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "banners" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"texts" jsonb NOT NULL,
	"link" text,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "brand_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "brands" (
	"code" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"theme_color" text NOT NULL,
	"origin" text NOT NULL,
	"currencies" jsonb NOT NULL,
	"config" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"brand" text NOT NULL,
	"code" text NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"currency" text,
	"plan_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"max_uses" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"starts_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	"first_purchase_only" boolean DEFAULT false NOT NULL,
	CONSTRAINT "coupons_brand_code_pk" PRIMARY KEY("brand","code")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"brand" text NOT NULL,
	"type" text NOT NULL,
	"language" text NOT NULL,
	"content" jsonb NOT NULL,
	CONSTRAINT "documents_brand_type_language_pk" PRIMARY KEY("brand","type","language")
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"order_id" text NOT NULL,
	"attempt_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_records" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"device" text NOT NULL,
	"model" text NOT NULL,
	"ip" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"status" text NOT NULL,
	"plan_id" text NOT NULL,
	"plan_names" jsonb NOT NULL,
	"days" integer NOT NULL,
	"devices" integer NOT NULL,
	"method_code" text NOT NULL,
	"method_names" jsonb NOT NULL,
	"currency" text NOT NULL,
	"original" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"total" bigint NOT NULL,
	"installments" integer NOT NULL,
	"discount_code" text,
	"result_token" text NOT NULL,
	"failure_code" integer,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"paid_at" bigint,
	"service_start" bigint,
	"service_end" bigint
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"created_at" bigint NOT NULL,
	"sent_at" bigint,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"brand" text NOT NULL,
	"code" text NOT NULL,
	"gateway" text NOT NULL,
	"names" jsonb NOT NULL,
	"icon" text NOT NULL,
	"discount" integer DEFAULT 0 NOT NULL,
	"currencies" jsonb NOT NULL,
	"fields" jsonb NOT NULL,
	"settles" text NOT NULL,
	"max_installments" integer DEFAULT 1 NOT NULL,
	"interest_free_up_to" integer DEFAULT 1 NOT NULL,
	"interest_basis_points" integer DEFAULT 0 NOT NULL,
	"position" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "payment_methods_brand_code_pk" PRIMARY KEY("brand","code")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"brand" text NOT NULL,
	"id" text NOT NULL,
	"days" integer NOT NULL,
	"devices" integer NOT NULL,
	"prices" jsonb NOT NULL,
	"list_prices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb NOT NULL,
	"recommended" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "plans_brand_id_pk" PRIMARY KEY("brand","id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_charges" (
	"key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"brand" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"decline_code" integer,
	"after_challenge" jsonb,
	"public_id" text NOT NULL,
	"payload" text,
	"return_url" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"paid_at" bigint,
	CONSTRAINT "sandbox_charges_public_id_unique" UNIQUE("public_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"body" text NOT NULL,
	"due_at" bigint NOT NULL,
	"repeats" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"uid" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"account" text NOT NULL,
	"account_type" text NOT NULL,
	"area_code" text,
	"password_hash" text NOT NULL,
	"nickname" text DEFAULT '' NOT NULL,
	"user_type" text DEFAULT 'MEMBER' NOT NULL,
	"language" text NOT NULL,
	"plan_id" text,
	"limit_count" integer DEFAULT 0 NOT NULL,
	"expired_time" bigint,
	"unsubscribe_email" boolean DEFAULT false NOT NULL,
	"login_app" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"gateway" text NOT NULL,
	"event_id" text NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "webhook_events_gateway_event_id_pk" PRIMARY KEY("gateway","event_id")
);
--> statement-breakpoint
CREATE TABLE "wordings" (
	"brand" text NOT NULL,
	"language" text NOT NULL,
	"messages" jsonb NOT NULL,
	CONSTRAINT "wordings_brand_language_pk" PRIMARY KEY("brand","language")
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "banners" ADD CONSTRAINT "banners_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "brand_hosts" ADD CONSTRAINT "brand_hosts_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_records" ADD CONSTRAINT "login_records_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordings" ADD CONSTRAINT "wordings_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_events_time" ON "analytics_events" USING btree ("brand","at");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_key" ON "attempts" USING btree ("brand","uid","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_live" ON "attempts" USING btree ("order_id") WHERE "attempts"."state" in ('INTENT', 'PENDING');--> statement-breakpoint
CREATE INDEX "attempts_open" ON "attempts" USING btree ("state","updated_at");--> statement-breakpoint
CREATE INDEX "ledger_order" ON "ledger" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_once" ON "ledger" USING btree ("attempt_id","kind");--> statement-breakpoint
CREATE INDEX "login_records_user" ON "login_records" USING btree ("brand","uid","at");--> statement-breakpoint
CREATE INDEX "orders_owner" ON "orders" USING btree ("brand","uid","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_result_token" ON "orders" USING btree ("result_token");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("sent_at","next_try_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("brand","uid");--> statement-breakpoint
CREATE UNIQUE INDEX "users_account" ON "users" USING btree ("brand","account");