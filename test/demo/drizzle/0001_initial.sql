-- deploy: before
CREATE TABLE `edgewise_counters` (
	`type` text NOT NULL,
	`locale` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`type`, `locale`, `status`)
);
CREATE TABLE `edgewise_stamps` (
	`id` integer PRIMARY KEY NOT NULL,
	`stamps` text NOT NULL
);
CREATE TABLE `edgewise_imports` (
	`archive` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`stage` text NOT NULL,
	`done` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
CREATE TABLE `edgewise_migrations` (
	`name` text PRIMARY KEY NOT NULL,
	`checksum` text NOT NULL
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
	`password_changed_at` integer,
	`confirmed` integer,
	`blocked` integer,
	`username_key` text,
	`email_key` text,
	`created_at` integer,
	`updated_at` integer,
	`published_at` integer
);
CREATE UNIQUE INDEX `up_users_published` ON `up_users` (`document_id`,`locale`) WHERE "up_users"."published_at" is not null;
CREATE INDEX `up_users_published_id` ON `up_users` (`locale`) WHERE "up_users"."published_at" is not null;
CREATE INDEX `up_users_username` ON `up_users` (`username`);
CREATE INDEX `up_users_email` ON `up_users` (`email`);
CREATE INDEX `up_users_password` ON `up_users` (`password`);
CREATE INDEX `up_users_reset_password_token` ON `up_users` (`reset_password_token`);
CREATE INDEX `up_users_confirmation_token` ON `up_users` (`confirmation_token`);
CREATE INDEX `up_users_username_key` ON `up_users` (`username_key`);
CREATE INDEX `up_users_email_key` ON `up_users` (`email_key`);
CREATE TABLE `up_users_role_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `up_users_role_lnk_position` ON `up_users_role_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `up_users_role_lnk_target` ON `up_users_role_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
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
CREATE INDEX `up_roles_published_id` ON `up_roles` (`locale`) WHERE "up_roles"."published_at" is not null;
CREATE INDEX `up_roles_type` ON `up_roles` (`type`);
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
CREATE INDEX `strapi_api_tokens_published_id` ON `strapi_api_tokens` (`locale`) WHERE "strapi_api_tokens"."published_at" is not null;
CREATE INDEX `strapi_api_tokens_name` ON `strapi_api_tokens` (`name`);
CREATE INDEX `strapi_api_tokens_access_key` ON `strapi_api_tokens` (`access_key`);
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
CREATE INDEX `strapi_sessions_published_id` ON `strapi_sessions` (`locale`) WHERE "strapi_sessions"."published_at" is not null;
CREATE INDEX `strapi_sessions_user_id` ON `strapi_sessions` (`user_id`);
CREATE INDEX `strapi_sessions_expires_at` ON `strapi_sessions` (`expires_at`);
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
CREATE INDEX `articles_published_id` ON `articles` (`locale`) WHERE "articles"."published_at" is not null;
CREATE UNIQUE INDEX `articles_draft` ON `articles` (`document_id`,`locale`) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_draft_id` ON `articles` (`locale`) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_by_created_at_desc` ON `articles` (`locale`,`created_at` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_created_at_desc_draft` ON `articles` (`locale`,`created_at` DESC) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_by_published_at_desc` ON `articles` (`locale`,`published_at` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_rating_desc` ON `articles` (`locale`,`rating` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_rating_desc_draft` ON `articles` (`locale`,`rating` DESC) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_by_issue_date_desc` ON `articles` (`locale`,`issue_date` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_issue_date_desc_draft` ON `articles` (`locale`,`issue_date` DESC) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_slug` ON `articles` (`slug`);
CREATE TABLE `articles_cover_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_cover_lnk_position` ON `articles_cover_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `articles_cover_lnk_target` ON `articles_cover_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
CREATE TABLE `articles_gallery_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_gallery_lnk_position` ON `articles_gallery_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `articles_gallery_lnk_target` ON `articles_gallery_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
CREATE TABLE `articles_author_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_author_lnk_position` ON `articles_author_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `articles_author_lnk_target` ON `articles_author_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
CREATE TABLE `articles_categories_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_categories_lnk_position` ON `articles_categories_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `articles_categories_lnk_target` ON `articles_categories_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
CREATE TABLE `articles_related_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `articles_related_lnk_position` ON `articles_related_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `articles_related_lnk_target` ON `articles_related_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
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
CREATE INDEX `authors_published_id` ON `authors` (`locale`) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_by_created_at_desc` ON `authors` (`locale`,`created_at` DESC) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_by_published_at_desc` ON `authors` (`locale`,`published_at` DESC) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_slug` ON `authors` (`slug`);
CREATE TABLE `authors_avatar_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `authors_avatar_lnk_position` ON `authors_avatar_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `authors_avatar_lnk_target` ON `authors_avatar_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
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
CREATE INDEX `categories_published_id` ON `categories` (`locale`) WHERE "categories"."published_at" is not null;
CREATE INDEX `categories_by_created_at_desc` ON `categories` (`locale`,`created_at` DESC) WHERE "categories"."published_at" is not null;
CREATE INDEX `categories_by_published_at_desc` ON `categories` (`locale`,`published_at` DESC) WHERE "categories"."published_at" is not null;
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
CREATE INDEX `homepages_published_id` ON `homepages` (`locale`) WHERE "homepages"."published_at" is not null;
CREATE TABLE `homepages_highlights_lnk` (
	`source_document_id` text NOT NULL,
	`source_locale` text DEFAULT '' NOT NULL,
	`target_document_id` text NOT NULL,
	`target_locale` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`position` real NOT NULL,
	`inverse_position` real NOT NULL,
	PRIMARY KEY(`source_document_id`, `source_locale`, `status`, `target_document_id`, `target_locale`)
);
CREATE INDEX `homepages_highlights_lnk_position` ON `homepages_highlights_lnk` (`source_document_id`,`source_locale`,`status`,`position`);
CREATE INDEX `homepages_highlights_lnk_target` ON `homepages_highlights_lnk` (`target_document_id`,`target_locale`,`status`,`inverse_position`);
CREATE VIRTUAL TABLE "articles_search" USING fts5("text", content='', contentless_delete=1, detail='none', tokenize='trigram');
INSERT INTO "articles_search" ("rowid", "text") SELECT "id", (((coalesce("articles"."document_id", '') || char(10) || coalesce("articles"."body", '')) || char(10) || (coalesce("articles"."format", '') || char(10) || coalesce("articles"."rating", ''))) || char(10) || ((coalesce("articles"."reading_minutes", '') || char(10) || coalesce("articles"."slug", '')) || char(10) || (coalesce("articles"."summary", '') || char(10) || coalesce("articles"."title", '')))) FROM "articles";
CREATE TRIGGER "articles_search_insert" AFTER INSERT ON "articles" BEGIN INSERT INTO "articles_search" ("rowid", "text") SELECT new."id", (((coalesce(new."document_id", '') || char(10) || coalesce(new."body", '')) || char(10) || (coalesce(new."format", '') || char(10) || coalesce(new."rating", ''))) || char(10) || ((coalesce(new."reading_minutes", '') || char(10) || coalesce(new."slug", '')) || char(10) || (coalesce(new."summary", '') || char(10) || coalesce(new."title", '')))); END;
CREATE TRIGGER "articles_search_update" AFTER UPDATE ON "articles" WHEN (((coalesce(old."document_id", '') || char(10) || coalesce(old."body", '')) || char(10) || (coalesce(old."format", '') || char(10) || coalesce(old."rating", ''))) || char(10) || ((coalesce(old."reading_minutes", '') || char(10) || coalesce(old."slug", '')) || char(10) || (coalesce(old."summary", '') || char(10) || coalesce(old."title", '')))) IS NOT (((coalesce(new."document_id", '') || char(10) || coalesce(new."body", '')) || char(10) || (coalesce(new."format", '') || char(10) || coalesce(new."rating", ''))) || char(10) || ((coalesce(new."reading_minutes", '') || char(10) || coalesce(new."slug", '')) || char(10) || (coalesce(new."summary", '') || char(10) || coalesce(new."title", '')))) BEGIN DELETE FROM "articles_search" WHERE "rowid" = old."id"; INSERT INTO "articles_search" ("rowid", "text") SELECT new."id", (((coalesce(new."document_id", '') || char(10) || coalesce(new."body", '')) || char(10) || (coalesce(new."format", '') || char(10) || coalesce(new."rating", ''))) || char(10) || ((coalesce(new."reading_minutes", '') || char(10) || coalesce(new."slug", '')) || char(10) || (coalesce(new."summary", '') || char(10) || coalesce(new."title", '')))); END;
CREATE TRIGGER "articles_search_delete" AFTER DELETE ON "articles" BEGIN DELETE FROM "articles_search" WHERE "rowid" = old."id"; END;
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
