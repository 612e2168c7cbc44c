ALTER TABLE "saved_cards" ADD COLUMN "account" text;--> statement-breakpoint
CREATE INDEX "saved_cards_paypal" ON "saved_cards" USING btree ("token") WHERE "saved_cards"."gateway" = 'paypal';