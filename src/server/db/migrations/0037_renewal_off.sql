ALTER TABLE "subscriptions" ADD COLUMN "off_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "off_at" bigint;