ALTER TABLE "orders" ADD COLUMN "flow" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "flow" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
UPDATE "payment_methods" SET "flow" = CASE
	WHEN "code" = 'pix' THEN 'qr'
	WHEN "code" = 'boleto' THEN 'ticket'
	WHEN "gateway" = 'coins' THEN 'crypto'
	WHEN "gateway" = 'transfer' THEN 'upload'
	WHEN "gateway" IN ('paypal', 'wallet', 'payssion') THEN 'redirect'
	WHEN "gateway" = 'liquido' AND "code" = 'orange' THEN 'otp'
	WHEN "gateway" = 'liquido' THEN 'push'
	ELSE 'none' END;
--> statement-breakpoint
UPDATE "orders" SET "flow" = "payment_methods"."flow" FROM "payment_methods"
	WHERE "payment_methods"."brand" = "orders"."brand" AND "payment_methods"."code" = "orders"."method_code"
	AND "orders"."status" IN ('SUBMITTED', 'PAYMENT_PENDING');
