CREATE TABLE `strapi_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`device_id` text,
	`device_name` text,
	`key_hash` text,
	`expires_at` integer,
	`absolute_expires_at` integer,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `strapi_sessions_published` ON `strapi_sessions` (`document_id`,`locale`) WHERE "strapi_sessions"."published_at" is not null;
CREATE INDEX `strapi_sessions_published_at` ON `strapi_sessions` (`locale`,`published_at`) WHERE "strapi_sessions"."published_at" is not null;
CREATE INDEX `strapi_sessions_published_id` ON `strapi_sessions` (`locale`) WHERE "strapi_sessions"."published_at" is not null;
CREATE INDEX `strapi_sessions_user_id` ON `strapi_sessions` (`user_id`);
CREATE INDEX `strapi_sessions_expires_at` ON `strapi_sessions` (`expires_at`);
CREATE INDEX `up_users_password` ON `up_users` (`password`);
