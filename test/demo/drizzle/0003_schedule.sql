-- deploy: before
CREATE TABLE `edgewise_scheduled` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`document_id` text NOT NULL,
	`locale` text NOT NULL,
	`action` text NOT NULL,
	`at` integer,
	`error` text,
	`created_at` integer NOT NULL
);
CREATE INDEX `edgewise_scheduled_at` ON `edgewise_scheduled` (`at`);
CREATE UNIQUE INDEX `edgewise_scheduled_document` ON `edgewise_scheduled` (`type`,`document_id`,`locale`,`action`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
