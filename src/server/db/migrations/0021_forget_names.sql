-- Counts of a lifetime named accounts in clear; they begin again under an HMAC. Counts of a day are not concerned.
DELETE FROM "throttles" WHERE "key" LIKE 'code failures %' AND "resets_at" > (extract(epoch from now()) * 1000 + 31536000000)::bigint;
--> statement-breakpoint
-- A bounced address was a plain SHA-256 before it was an HMAC.
DELETE FROM "mail_bounces" WHERE length("address_hash") = 64;
--> statement-breakpoint
UPDATE "audit_log" SET "detail" = "detail" - 'email' WHERE "command" = 'customers bind-email';
