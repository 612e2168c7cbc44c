-- As in `search_names`, with the confirmed address of a customer who logs in with another one.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "users_all_names" ON "users" USING gin (("account" || ' ' || coalesce("email", '') || ' ' || coalesce("phone", '') || ' ' || lower("nickname")) gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR undefined_object OR insufficient_privilege THEN
    RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
END $$;
