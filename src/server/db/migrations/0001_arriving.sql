CREATE TABLE "captchas" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"answer_hash" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_grants" (
	"device_code_hash" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"user_code_hash" text NOT NULL,
	"device" text NOT NULL,
	"model" text NOT NULL,
	"uid" text,
	"signed_in" boolean NOT NULL,
	"state" text NOT NULL,
	"next_poll_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "letters" (
	"id" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"kind" text NOT NULL,
	"account" text NOT NULL,
	"account_type" text NOT NULL,
	"language" text NOT NULL,
	"scene" text,
	"code" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"uid" text NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "spent_tokens" (
	"brand" text NOT NULL,
	"id" text NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "spent_tokens_brand_id_pk" PRIMARY KEY("brand","id")
);
--> statement-breakpoint
CREATE TABLE "verification_codes" (
	"brand" text NOT NULL,
	"account" text NOT NULL,
	"scene" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries_left" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "verification_codes_brand_account_scene_pk" PRIMARY KEY("brand","account","scene")
);
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "channel" text DEFAULT 'mail' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "verified_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "password_reset_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "google_sub" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "entry" jsonb;--> statement-breakpoint
ALTER TABLE "mail_links" ADD CONSTRAINT "mail_links_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_grants_user_code" ON "device_grants" USING btree ("brand","user_code_hash");--> statement-breakpoint
CREATE INDEX "letters_time" ON "letters" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mail_links_user" ON "mail_links" USING btree ("brand","uid","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("brand","email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_google" ON "users" USING btree ("brand","google_sub");--> statement-breakpoint
UPDATE "users" SET "email" = "account" WHERE "account_type" = 'email';
