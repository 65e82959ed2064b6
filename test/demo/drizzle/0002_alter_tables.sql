-- deploy: before
CREATE TABLE `edgewise_requests` (
	`key` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`document_id` text NOT NULL,
	`response` text,
	`created_at` integer NOT NULL
);
CREATE INDEX `edgewise_requests_created_at` ON `edgewise_requests` (`created_at`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
