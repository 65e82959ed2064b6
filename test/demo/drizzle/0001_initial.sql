CREATE TABLE `edgewise_counters` (
	`type` text NOT NULL,
	`locale` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`type`, `locale`, `status`)
);
CREATE TABLE `files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`name` text,
	`alternative_text` text,
	`caption` text,
	`focal_point` text,
	`width` integer,
	`height` integer,
	`formats` text,
	`hash` text,
	`ext` text,
	`mime` text,
	`size` numeric,
	`url` text,
	`preview_url` text,
	`provider` text,
	`provider_metadata` text,
	`folder_path` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `files_published` ON `files` (`document_id`,`locale`) WHERE "files"."published_at" is not null;
CREATE INDEX `files_published_at` ON `files` (`locale`,`published_at`) WHERE "files"."published_at" is not null;
CREATE INDEX `files_published_id` ON `files` (`locale`) WHERE "files"."published_at" is not null;
CREATE TABLE `up_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`username` text,
	`email` text,
	`provider` text,
	`password` text,
	`reset_password_token` text,
	`confirmation_token` text,
	`confirmed` integer,
	`blocked` integer,
	`role` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `up_users_published` ON `up_users` (`document_id`,`locale`) WHERE "up_users"."published_at" is not null;
CREATE INDEX `up_users_published_at` ON `up_users` (`locale`,`published_at`) WHERE "up_users"."published_at" is not null;
CREATE INDEX `up_users_published_id` ON `up_users` (`locale`) WHERE "up_users"."published_at" is not null;
CREATE INDEX `up_users_username` ON `up_users` (`username`);
CREATE TABLE `strapi_api_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`name` text,
	`type` text,
	`access_key` text,
	`permissions` text,
	`expires_at` integer,
	`last_used_at` integer,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `strapi_api_tokens_published` ON `strapi_api_tokens` (`document_id`,`locale`) WHERE "strapi_api_tokens"."published_at" is not null;
CREATE INDEX `strapi_api_tokens_published_at` ON `strapi_api_tokens` (`locale`,`published_at`) WHERE "strapi_api_tokens"."published_at" is not null;
CREATE INDEX `strapi_api_tokens_published_id` ON `strapi_api_tokens` (`locale`) WHERE "strapi_api_tokens"."published_at" is not null;
CREATE INDEX `strapi_api_tokens_name` ON `strapi_api_tokens` (`name`);
CREATE INDEX `strapi_api_tokens_access_key` ON `strapi_api_tokens` (`access_key`);
CREATE TABLE `articles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`title` text,
	`slug` text,
	`summary` text,
	`body` text,
	`format` text,
	`issue_date` text,
	`reading_minutes` integer,
	`rating` numeric,
	`featured` integer,
	`keywords` text,
	`editor_notes` text,
	`seo` text,
	`sections` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `articles_published` ON `articles` (`document_id`,`locale`) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_published_at` ON `articles` (`locale`,`published_at`) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_published_id` ON `articles` (`locale`) WHERE "articles"."published_at" is not null;
CREATE UNIQUE INDEX `articles_draft` ON `articles` (`document_id`,`locale`) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_draft_id` ON `articles` (`locale`) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_slug` ON `articles` (`slug`);
CREATE TABLE `articles_cover_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_cover_lnk_position` ON `articles_cover_lnk` (`source_id`,`position`);
CREATE INDEX `articles_cover_lnk_target` ON `articles_cover_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `articles_gallery_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_gallery_lnk_position` ON `articles_gallery_lnk` (`source_id`,`position`);
CREATE INDEX `articles_gallery_lnk_target` ON `articles_gallery_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `articles_author_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_author_lnk_position` ON `articles_author_lnk` (`source_id`,`position`);
CREATE INDEX `articles_author_lnk_target` ON `articles_author_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `articles_categories_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_categories_lnk_position` ON `articles_categories_lnk` (`source_id`,`position`);
CREATE INDEX `articles_categories_lnk_target` ON `articles_categories_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `articles_related_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_related_lnk_position` ON `articles_related_lnk` (`source_id`,`position`);
CREATE INDEX `articles_related_lnk_target` ON `articles_related_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `authors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`name` text,
	`slug` text,
	`email` text,
	`bio` text,
	`born` text,
	`words_written` integer,
	`links` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `authors_published` ON `authors` (`document_id`,`locale`) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_published_at` ON `authors` (`locale`,`published_at`) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_published_id` ON `authors` (`locale`) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_slug` ON `authors` (`slug`);
CREATE TABLE `authors_avatar_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `authors_avatar_lnk_position` ON `authors_avatar_lnk` (`source_id`,`position`);
CREATE INDEX `authors_avatar_lnk_target` ON `authors_avatar_lnk` (`target_document_id`,`inverse_position`);
CREATE TABLE `categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`name` text,
	`slug` text,
	`description` text,
	`color` text,
	`position` integer,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `categories_published` ON `categories` (`document_id`,`locale`) WHERE "categories"."published_at" is not null;
CREATE INDEX `categories_published_at` ON `categories` (`locale`,`published_at`) WHERE "categories"."published_at" is not null;
CREATE INDEX `categories_published_id` ON `categories` (`locale`) WHERE "categories"."published_at" is not null;
CREATE INDEX `categories_name` ON `categories` (`name`);
CREATE INDEX `categories_slug` ON `categories` (`slug`);
CREATE TABLE `homepages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`locale` text DEFAULT '' NOT NULL,
	`headline` text,
	`intro` text,
	`issue_number` integer,
	`closes_at` integer,
	`opens_daily` text,
	`seo` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `homepages_published` ON `homepages` (`document_id`,`locale`) WHERE "homepages"."published_at" is not null;
CREATE INDEX `homepages_published_at` ON `homepages` (`locale`,`published_at`) WHERE "homepages"."published_at" is not null;
CREATE INDEX `homepages_published_id` ON `homepages` (`locale`) WHERE "homepages"."published_at" is not null;
CREATE TABLE `homepages_highlights_lnk` (
	`source_id` integer NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_document_id`, `target_locale`)
);
CREATE INDEX `homepages_highlights_lnk_position` ON `homepages_highlights_lnk` (`source_id`,`position`);
CREATE INDEX `homepages_highlights_lnk_target` ON `homepages_highlights_lnk` (`target_document_id`,`inverse_position`);
