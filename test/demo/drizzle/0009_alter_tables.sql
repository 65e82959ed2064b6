-- deploy: before
CREATE TABLE `edgewise_migrations` (
	`name` text PRIMARY KEY NOT NULL,
	`checksum` text NOT NULL
);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
