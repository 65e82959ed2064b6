CREATE TABLE `edgewise_stamps` (
	`id` integer PRIMARY KEY NOT NULL,
	`stamps` text NOT NULL
);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
