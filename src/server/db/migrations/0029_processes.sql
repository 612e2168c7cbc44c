CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"signing_check" text NOT NULL,
	"started_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"ahead_ms" bigint NOT NULL
);
