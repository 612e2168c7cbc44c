CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"signing_check" text NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "installation_one_row" CHECK ("installation"."id" = 1)
);
