ALTER TABLE "letters" RENAME TO "message_requests";--> statement-breakpoint
ALTER INDEX "letters_pkey" RENAME TO "message_requests_pkey";--> statement-breakpoint
ALTER INDEX "letters_time" RENAME TO "message_requests_time";--> statement-breakpoint
UPDATE "throttles" SET "key" = 'messages ' || substr("key", length('letters ') + 1) WHERE "key" LIKE 'letters %';
