-- deploy: before
CREATE TABLE `edgewise_oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`user` text NOT NULL,
	`client_id` text NOT NULL,
	`host` text NOT NULL,
	`name` text NOT NULL,
	`level` text NOT NULL,
	`types` text,
	`key_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer NOT NULL
);
CREATE INDEX `edgewise_oauth_grants_user` ON `edgewise_oauth_grants` (`user`,`updated_at`);
CREATE INDEX `edgewise_oauth_grants_expires_at` ON `edgewise_oauth_grants` (`expires_at`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))), 'purge', 1)) ON CONFLICT ("id") DO UPDATE SET "stamps" = json_patch("excluded"."stamps", json_object('fence', "edgewise_stamps"."stamps" ->> '$."fence"'));
