DROP INDEX "articles_author_lnk_position";
DROP INDEX "articles_author_lnk_target";
ALTER TABLE "articles_author_lnk" RENAME TO "articles_author_lnk_before";
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
INSERT OR IGNORE INTO "articles_author_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", iif("source"."published_at" IS NULL, 'draft', 'published'), "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "articles_author_lnk_before" AS "link" JOIN "articles" AS "source" ON "source"."id" = "link"."source_id" JOIN "authors" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' AND "target"."published_at" IS NOT NULL ORDER BY "link"."rowid";
DROP TABLE "articles_author_lnk_before";
DROP INDEX "articles_categories_lnk_position";
DROP INDEX "articles_categories_lnk_target";
ALTER TABLE "articles_categories_lnk" RENAME TO "articles_categories_lnk_before";
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
INSERT OR IGNORE INTO "articles_categories_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", iif("source"."published_at" IS NULL, 'draft', 'published'), "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "articles_categories_lnk_before" AS "link" JOIN "articles" AS "source" ON "source"."id" = "link"."source_id" JOIN "categories" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = "link"."target_locale" AND "target"."published_at" IS NOT NULL ORDER BY "link"."rowid";
DROP TABLE "articles_categories_lnk_before";
DROP INDEX "articles_cover_lnk_position";
DROP INDEX "articles_cover_lnk_target";
ALTER TABLE "articles_cover_lnk" RENAME TO "articles_cover_lnk_before";
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
INSERT OR IGNORE INTO "articles_cover_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", iif("source"."published_at" IS NULL, 'draft', 'published'), "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "articles_cover_lnk_before" AS "link" JOIN "articles" AS "source" ON "source"."id" = "link"."source_id" JOIN "files" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' AND "target"."published_at" IS NOT NULL ORDER BY "link"."rowid";
DROP TABLE "articles_cover_lnk_before";
DROP INDEX "articles_gallery_lnk_position";
DROP INDEX "articles_gallery_lnk_target";
ALTER TABLE "articles_gallery_lnk" RENAME TO "articles_gallery_lnk_before";
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
INSERT OR IGNORE INTO "articles_gallery_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", iif("source"."published_at" IS NULL, 'draft', 'published'), "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "articles_gallery_lnk_before" AS "link" JOIN "articles" AS "source" ON "source"."id" = "link"."source_id" JOIN "files" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' AND "target"."published_at" IS NOT NULL ORDER BY "link"."rowid";
DROP TABLE "articles_gallery_lnk_before";
DROP INDEX "articles_related_lnk_position";
DROP INDEX "articles_related_lnk_target";
ALTER TABLE "articles_related_lnk" RENAME TO "articles_related_lnk_before";
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
INSERT OR IGNORE INTO "articles_related_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", iif("source"."published_at" IS NULL, 'draft', 'published'), "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "articles_related_lnk_before" AS "link" JOIN "articles" AS "source" ON "source"."id" = "link"."source_id" JOIN "articles" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' AND ("target"."published_at" IS NULL) = ("source"."published_at" IS NULL) ORDER BY "link"."rowid";
DROP TABLE "articles_related_lnk_before";
DROP INDEX "authors_avatar_lnk_position";
DROP INDEX "authors_avatar_lnk_target";
ALTER TABLE "authors_avatar_lnk" RENAME TO "authors_avatar_lnk_before";
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
INSERT OR IGNORE INTO "authors_avatar_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", 'published', "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "authors_avatar_lnk_before" AS "link" JOIN "authors" AS "source" ON "source"."id" = "link"."source_id" JOIN "files" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' AND "target"."published_at" IS NOT NULL ORDER BY "link"."rowid";
DROP TABLE "authors_avatar_lnk_before";
DROP INDEX "homepages_highlights_lnk_position";
DROP INDEX "homepages_highlights_lnk_target";
ALTER TABLE "homepages_highlights_lnk" RENAME TO "homepages_highlights_lnk_before";
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
INSERT OR IGNORE INTO "homepages_highlights_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", iif("target"."published_at" IS NULL, 'draft', 'published'), "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "homepages_highlights_lnk_before" AS "link" JOIN "homepages" AS "source" ON "source"."id" = "link"."source_id" JOIN "articles" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' ORDER BY "link"."rowid";
DROP TABLE "homepages_highlights_lnk_before";
DROP INDEX "up_users_role_lnk_position";
DROP INDEX "up_users_role_lnk_target";
ALTER TABLE "up_users_role_lnk" RENAME TO "up_users_role_lnk_before";
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
INSERT OR IGNORE INTO "up_users_role_lnk" ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position") SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", 'published', "link"."position" * 65536, "link"."inverse_position" * 65536 FROM "up_users_role_lnk_before" AS "link" JOIN "up_users" AS "source" ON "source"."id" = "link"."source_id" JOIN "up_roles" AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = '' AND "target"."published_at" IS NOT NULL ORDER BY "link"."rowid";
DROP TABLE "up_users_role_lnk_before";
