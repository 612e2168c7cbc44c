CREATE TABLE "checkout_handovers" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"session_hash" text NOT NULL,
	"user_code_hash" text NOT NULL,
	"device" text NOT NULL,
	"model" text NOT NULL,
	"purchase" jsonb NOT NULL,
	"state" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"kind" text NOT NULL,
	"order_id" text,
	"ends_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"session_hash" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"vapid_key" text NOT NULL,
	"language" text NOT NULL,
	"device" text NOT NULL,
	"model" text NOT NULL,
	"created_at" bigint NOT NULL,
	"remind_at" bigint,
	"reminded_end" bigint,
	"reminded_days" integer
);
--> statement-breakpoint
CREATE TABLE "push_watches" (
	"order_id" text NOT NULL,
	"subscription_id" text NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"created_at" bigint NOT NULL,
	"look_at" bigint NOT NULL,
	CONSTRAINT "push_watches_order_id_subscription_id_pk" PRIMARY KEY("order_id","subscription_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_push_browsers" (
	"id" text PRIMARY KEY NOT NULL,
	"vapid_key" text NOT NULL,
	"gone" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_push_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"browser_id" text NOT NULL,
	"ttl" integer NOT NULL,
	"urgency" text NOT NULL,
	"topic" text,
	"body" "bytea" NOT NULL,
	"received_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_grants" ADD COLUMN "client" text DEFAULT 'box' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "handed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_handovers" ADD CONSTRAINT "checkout_handovers_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_messages" ADD CONSTRAINT "push_messages_subscription_id_push_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."push_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_hash_sessions_token_hash_fk" FOREIGN KEY ("session_hash") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_watches" ADD CONSTRAINT "push_watches_subscription_id_push_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."push_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_push_messages" ADD CONSTRAINT "sandbox_push_messages_browser_id_sandbox_push_browsers_id_fk" FOREIGN KEY ("browser_id") REFERENCES "public"."sandbox_push_browsers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_handovers_user_code" ON "checkout_handovers" USING btree ("brand","user_code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_handovers_session" ON "checkout_handovers" USING btree ("brand","session_hash");--> statement-breakpoint
CREATE INDEX "checkout_handovers_user" ON "checkout_handovers" USING btree ("brand","uid");--> statement-breakpoint
CREATE INDEX "checkout_handovers_end" ON "checkout_handovers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "push_messages_due" ON "push_messages" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "push_messages_subscription" ON "push_messages" USING btree ("subscription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "push_subscriptions" USING btree ("brand","endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("brand","uid","created_at");--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("session_hash");--> statement-breakpoint
CREATE INDEX "push_subscriptions_remind" ON "push_subscriptions" USING btree ("remind_at") WHERE "push_subscriptions"."remind_at" is not null;--> statement-breakpoint
CREATE INDEX "push_watches_subscription" ON "push_watches" USING btree ("subscription_id","created_at");--> statement-breakpoint
CREATE INDEX "push_watches_look" ON "push_watches" USING btree ("look_at");--> statement-breakpoint
CREATE INDEX "sandbox_push_messages_browser" ON "sandbox_push_messages" USING btree ("browser_id","received_at");