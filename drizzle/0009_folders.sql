-- deploy: before
CREATE TABLE `upload_folders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`name` text,
	`path_id` integer,
	`path` text,
	`is_private` integer,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `upload_folders_published` ON `upload_folders` (`document_id`,`locale`) WHERE "upload_folders"."published_at" is not null;
CREATE INDEX `upload_folders_published_id` ON `upload_folders` (`locale`) WHERE "upload_folders"."published_at" is not null;
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
