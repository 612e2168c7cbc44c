-- Without fastupdate, because the planner avoids an index with a long list of pending rows.
-- Without the extension the search by a part of a name reads the whole table, so its absence does not stop the shop.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "users_names" ON "users" USING gin (("account" || ' ' || coalesce(case when "account_type" = 'phone' then "email" else "phone" end, '') || ' ' || lower("nickname")) gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR undefined_object OR insufficient_privilege THEN
    RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
END $$;
