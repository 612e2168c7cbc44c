DROP INDEX "outbox_waiting";--> statement-breakpoint
CREATE INDEX "outbox_lanes" ON "outbox" USING btree ((case when "channel" = 'sms' then (case when "asked" then 0 else 1 end)
    when "asked" then 2 when "offers_to" is null then 3 else 4 end),"brand","next_try_at") WHERE "outbox"."sent_at" is null and "outbox"."tries" < 12;