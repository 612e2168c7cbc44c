CREATE TABLE "cards_to_forget" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text NOT NULL,
	"token" text NOT NULL,
	"next_try_at" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"language" text,
	"reached" text DEFAULT '' NOT NULL,
	"queued" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint,
	CONSTRAINT "campaigns_brand_name_pk" PRIMARY KEY("brand","name")
);
--> statement-breakpoint
CREATE TABLE "customer_coupons" (
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"code" text NOT NULL,
	"given_at" bigint NOT NULL,
	CONSTRAINT "customer_coupons_brand_uid_code_pk" PRIMARY KEY("brand","uid","code")
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"challenge_hash" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"host" text NOT NULL,
	"uid" text,
	"user_handle" text,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"host" text NOT NULL,
	"credential_id" text NOT NULL,
	"user_handle" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"synced" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"status" text NOT NULL,
	"plan_id" text NOT NULL,
	"days" integer NOT NULL,
	"method_code" text NOT NULL,
	"card_id" text,
	"price" bigint NOT NULL,
	"currency" text NOT NULL,
	"period" integer DEFAULT 1 NOT NULL,
	"order_id" text,
	"refusals" integer DEFAULT 0 NOT NULL,
	"due_at" bigint,
	"next_charge_at" bigint,
	"paid_until" bigint NOT NULL,
	"noticed" integer DEFAULT 0 NOT NULL,
	"asks" bigint,
	"off_reason" text,
	"card_told" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "card_id" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "renew_price" bigint;--> statement-breakpoint
ALTER TABLE "brands" ADD COLUMN "cloud" jsonb;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "renews" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "subscription_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "period" integer;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "offers_to" text;--> statement-breakpoint
ALTER TABLE "mail_links" ADD COLUMN "before" jsonb;--> statement-breakpoint
ALTER TABLE "login_records" ADD COLUMN "session_hash" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "from_app" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "phone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "grace_until" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "leaves_at" bigint;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_brand_brands_code_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_coupons" ADD CONSTRAINT "customer_coupons_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_coupons" ADD CONSTRAINT "customer_coupons_brand_code_coupons_brand_code_fk" FOREIGN KEY ("brand","code") REFERENCES "public"."coupons"("brand","code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cards_to_forget_due" ON "cards_to_forget" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "passkey_challenges_end" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkey_challenges_owner" ON "passkey_challenges" USING btree ("uid") WHERE "passkey_challenges"."uid" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("brand","host","credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_owner" ON "passkeys" USING btree ("brand","uid","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_owner" ON "subscriptions" USING btree ("brand","uid");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("due_at") WHERE "subscriptions"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_card" ON "subscriptions" USING btree ("card_id");--> statement-breakpoint
CREATE INDEX "orders_service" ON "orders" USING btree ("brand","uid","service_end") WHERE "orders"."service_end" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_renewal" ON "orders" USING btree ("subscription_id","period") WHERE "orders"."subscription_id" is not null;--> statement-breakpoint
CREATE INDEX "users_leaving" ON "users" USING btree ("leaves_at") WHERE "users"."leaves_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_phone" ON "users" USING btree ("brand","phone");--> statement-breakpoint
CREATE INDEX "users_offers" ON "users" USING btree ("brand","uid") WHERE not "users"."unsubscribe_email" and "users"."email" is not null and ("users"."account_type" = 'phone' or "users"."verified_at" is not null);