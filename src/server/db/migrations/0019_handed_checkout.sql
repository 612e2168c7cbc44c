ALTER TABLE "sessions" ADD COLUMN "opener_hash" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "checkout" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_opener_hash_sessions_token_hash_fk" FOREIGN KEY ("opener_hash") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_opener" ON "sessions" USING btree ("opener_hash");