CREATE TABLE "provider_outages" (
	"provider" text PRIMARY KEY NOT NULL,
	"since" bigint NOT NULL,
	"told" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"event_id" text NOT NULL,
	"url" text NOT NULL,
	"brand" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" bigint NOT NULL,
	"next_try_at" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" bigint,
	"last_answer" text,
	CONSTRAINT "webhook_deliveries_event_id_url_pk" PRIMARY KEY("event_id","url")
);
--> statement-breakpoint
ALTER TABLE "brands" ADD COLUMN "webhooks" jsonb;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("brand","url","next_try_at","position","created_at") WHERE "webhook_deliveries"."sent_at" is null and "webhook_deliveries"."tries" < 10;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("brand","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");