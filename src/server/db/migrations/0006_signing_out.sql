ALTER TABLE "sessions" ADD COLUMN "kind" text DEFAULT 'customer' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "box_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "box_maker" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "box_model" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "evictions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "evicted_at" bigint;--> statement-breakpoint
CREATE INDEX "device_grants_user" ON "device_grants" USING btree ("brand","uid");--> statement-breakpoint
-- names that boxes sent by themselves before there was a list of them
UPDATE "device_grants" SET "device" = '', "model" = '';