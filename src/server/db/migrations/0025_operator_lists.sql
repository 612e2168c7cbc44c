ALTER TABLE "ledger" ADD COLUMN "sent_at" bigint;--> statement-breakpoint
CREATE INDEX "saved_cards_last4" ON "saved_cards" USING btree ("brand","last4");--> statement-breakpoint
CREATE INDEX "orders_listed" ON "orders" USING btree ("brand","created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_card" ON "orders" USING btree ("brand","card_last4") WHERE "orders"."card_last4" is not null;