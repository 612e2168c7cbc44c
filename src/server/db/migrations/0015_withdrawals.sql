ALTER TABLE "orders" ADD COLUMN "withdrawal" jsonb;--> statement-breakpoint
CREATE INDEX "orders_withdrawn" ON "orders" USING btree ("brand","created_at") WHERE "orders"."withdrawal" is not null;