-- deploy: before
CREATE TABLE `edgewise_outbox` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`endpoint` text NOT NULL,
	`event` text NOT NULL,
	`type` text NOT NULL,
	`document_id` text NOT NULL,
	`locale` text NOT NULL,
	`entry` text,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`attempts` integer NOT NULL,
	`delivered_at` integer,
	`error` text
);
CREATE INDEX `edgewise_outbox_due` ON `edgewise_outbox` (`endpoint`,`due_at`,`sequence`);
CREATE INDEX `edgewise_outbox_document` ON `edgewise_outbox` (`type`,`document_id`,`endpoint`,`due_at`,`sequence`);
CREATE INDEX `edgewise_outbox_delivered` ON `edgewise_outbox` (`delivered_at`);
CREATE TABLE `edgewise_endpoints` (
	`url` text PRIMARY KEY NOT NULL,
	`failing_since` integer,
	`next_at` integer,
	`paused_at` integer
);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
