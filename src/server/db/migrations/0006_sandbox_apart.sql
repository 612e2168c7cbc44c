-- The sandbox keeps its tables by migrations of its own (src/server/sandbox/migrations). Here go those that were never
-- used. One that holds rows stays, whatever the settings are, and the sandbox takes it over when it is on.
DO $$
DECLARE
	name text;
	has_rows boolean;
BEGIN
	FOREACH name IN ARRAY ARRAY['sandbox_push_messages', 'sandbox_push_browsers', 'sandbox_notices', 'sandbox_paypal_orders', 'sandbox_cards', 'sandbox_charges'] LOOP
		-- a process of the version before may be writing to it
		EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
		EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO has_rows;
		IF NOT has_rows THEN
			EXECUTE format('DROP TABLE %I', name);
		END IF;
	END LOOP;
END $$;
