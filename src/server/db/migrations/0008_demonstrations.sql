ALTER TABLE "brands" ADD COLUMN "demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- the demonstration's brands as earlier builds seeded them; one whose address somebody has changed is their own by now
UPDATE "brands" SET "demo" = true WHERE ("code", "origin") IN (
  ('lumen', 'http://localhost'), ('mego', 'http://mego.localhost'), ('baobab', 'http://baobab.localhost')
);
