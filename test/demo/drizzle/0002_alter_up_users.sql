ALTER TABLE "up_users" DROP COLUMN "role";
CREATE TABLE `up_users_role_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `up_users_role_lnk_position` ON `up_users_role_lnk` (`source_id`,`position`);
CREATE INDEX `up_users_role_lnk_target` ON `up_users_role_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `up_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`name` text,
	`description` text,
	`type` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `up_roles_published` ON `up_roles` (`document_id`,`locale`) WHERE "up_roles"."published_at" is not null;
CREATE INDEX `up_roles_published_at` ON `up_roles` (`locale`,`published_at`) WHERE "up_roles"."published_at" is not null;
CREATE INDEX `up_roles_published_id` ON `up_roles` (`locale`) WHERE "up_roles"."published_at" is not null;
CREATE INDEX `up_roles_type` ON `up_roles` (`type`);
ALTER TABLE `up_users` ADD `password_changed_at` integer;
CREATE INDEX `up_users_email` ON `up_users` (`email`);
CREATE INDEX `up_users_reset_password_token` ON `up_users` (`reset_password_token`);
CREATE INDEX `up_users_confirmation_token` ON `up_users` (`confirmation_token`);
