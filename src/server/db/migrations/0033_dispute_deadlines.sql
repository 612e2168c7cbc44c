ALTER TABLE "ledger" ADD COLUMN "respond_by" bigint;--> statement-breakpoint
CREATE INDEX "ledger_disputes" ON "ledger" USING btree ("brand","at") WHERE "ledger"."kind" = 'chargeback';