-- deploy: before
CREATE TABLE `edgewise_history` (
	`type` text NOT NULL,
	`document_id` text NOT NULL,
	`locale` text NOT NULL,
	`version` text NOT NULL,
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`operation` text NOT NULL,
	`actor` text NOT NULL,
	`actor_id` text,
	`actor_name` text,
	`entry` text,
	`size` integer NOT NULL,
	PRIMARY KEY(`type`, `document_id`, `locale`, `version`, `at`, `id`)
);
CREATE INDEX `edgewise_history_at` ON `edgewise_history` (`at`,`size`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
