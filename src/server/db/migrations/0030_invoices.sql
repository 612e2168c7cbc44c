CREATE TABLE "invoice_counters" (
	"brand" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_counters_brand_year_pk" PRIMARY KEY("brand","year")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"brand" text NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"number" text NOT NULL,
	"kind" text NOT NULL,
	"ledger_id" text NOT NULL,
	"order_id" text NOT NULL,
	"uid" text NOT NULL,
	"issued_at" bigint NOT NULL,
	"country" text NOT NULL,
	"currency" text NOT NULL,
	"gross" bigint NOT NULL,
	"net" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"rate" integer,
	"tax_name" text,
	"seller" jsonb,
	"buyer_sealed" text,
	"corrects" text,
	CONSTRAINT "invoices_brand_year_sequence_pk" PRIMARY KEY("brand","year","sequence")
);
--> statement-breakpoint
ALTER TABLE "brands" ADD COLUMN "invoices" jsonb;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "invoice_at" bigint;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_ledger_id_ledger_id_fk" FOREIGN KEY ("ledger_id") REFERENCES "public"."ledger"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_ledger" ON "invoices" USING btree ("ledger_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("number" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "invoices_order" ON "invoices" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "invoices_owner" ON "invoices" USING btree ("brand","uid");--> statement-breakpoint
CREATE INDEX "invoices_issued" ON "invoices" USING btree ("brand","issued_at","year","sequence");--> statement-breakpoint
CREATE INDEX "invoices_corrections" ON "invoices" USING btree ("corrects") WHERE "invoices"."corrects" is not null;--> statement-breakpoint
CREATE INDEX "ledger_to_invoice" ON "ledger" USING btree ("brand","invoice_at","id") WHERE "ledger"."invoice_at" is not null;