-- deploy: before
CREATE TABLE `edgewise_identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user` text NOT NULL,
	`provider` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`)
);
CREATE INDEX `edgewise_identities_user` ON `edgewise_identities` (`user`);
CREATE TABLE `edgewise_redemptions` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
CREATE INDEX `edgewise_redemptions_expires_at` ON `edgewise_redemptions` (`expires_at`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))), 'purge', 1)) ON CONFLICT ("id") DO UPDATE SET "stamps" = json_patch("excluded"."stamps", json_object('fence', "edgewise_stamps"."stamps" ->> '$."fence"'));
