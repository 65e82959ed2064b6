-- deploy: before
CREATE TABLE `edgewise_pictures` (
	`key` text PRIMARY KEY NOT NULL,
	`claim` text NOT NULL,
	`claimed_at` integer NOT NULL
);
CREATE TABLE `edgewise_picture_months` (
	`month` text PRIMARY KEY NOT NULL,
	`transformations` integer NOT NULL
);
CREATE INDEX `files_hash` ON `files` (`hash`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
