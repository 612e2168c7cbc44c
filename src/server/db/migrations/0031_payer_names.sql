CREATE TABLE "payer_names" (
	"brand" text NOT NULL,
	"word" text NOT NULL,
	"uid" text NOT NULL,
	CONSTRAINT "payer_names_brand_word_uid_pk" PRIMARY KEY("brand","word","uid")
);
--> statement-breakpoint
ALTER TABLE "payer_names" ADD CONSTRAINT "payer_names_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payer_names_customer" ON "payer_names" USING btree ("brand","uid");