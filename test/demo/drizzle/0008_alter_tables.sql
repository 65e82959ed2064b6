CREATE TABLE `edgewise_imports` (
	`archive` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`stage` text NOT NULL,
	`done` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
