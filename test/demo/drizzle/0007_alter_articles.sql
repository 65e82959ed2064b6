DROP INDEX `articles_published_at`;
DROP INDEX `authors_published_at`;
DROP INDEX `categories_published_at`;
DROP INDEX `files_published_at`;
DROP INDEX `homepages_published_at`;
DROP INDEX `strapi_api_tokens_published_at`;
DROP INDEX `strapi_sessions_published_at`;
DROP INDEX `up_roles_published_at`;
DROP INDEX `up_users_published_at`;
CREATE TABLE `edgewise_stamps` (
	`id` integer PRIMARY KEY NOT NULL,
	`stamps` text NOT NULL
);
CREATE INDEX `articles_by_created_at_desc` ON `articles` (`locale`,`created_at` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_created_at_desc_draft` ON `articles` (`locale`,`created_at` DESC) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_by_published_at_desc` ON `articles` (`locale`,`published_at` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_rating_desc` ON `articles` (`locale`,`rating` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_rating_desc_draft` ON `articles` (`locale`,`rating` DESC) WHERE "articles"."published_at" is null;
CREATE INDEX `articles_by_issue_date_desc` ON `articles` (`locale`,`issue_date` DESC) WHERE "articles"."published_at" is not null;
CREATE INDEX `articles_by_issue_date_desc_draft` ON `articles` (`locale`,`issue_date` DESC) WHERE "articles"."published_at" is null;
CREATE INDEX `authors_by_created_at_desc` ON `authors` (`locale`,`created_at` DESC) WHERE "authors"."published_at" is not null;
CREATE INDEX `authors_by_published_at_desc` ON `authors` (`locale`,`published_at` DESC) WHERE "authors"."published_at" is not null;
CREATE INDEX `categories_by_created_at_desc` ON `categories` (`locale`,`created_at` DESC) WHERE "categories"."published_at" is not null;
CREATE INDEX `categories_by_published_at_desc` ON `categories` (`locale`,`published_at` DESC) WHERE "categories"."published_at" is not null;
CREATE VIRTUAL TABLE "articles_search" USING fts5("text", content='', contentless_delete=1, detail='none', tokenize='trigram');
INSERT INTO "articles_search" ("rowid", "text") SELECT "id", (((coalesce("articles"."document_id", '') || char(10) || coalesce("articles"."body", '')) || char(10) || (coalesce("articles"."format", '') || char(10) || coalesce("articles"."rating", ''))) || char(10) || ((coalesce("articles"."reading_minutes", '') || char(10) || coalesce("articles"."slug", '')) || char(10) || (coalesce("articles"."summary", '') || char(10) || coalesce("articles"."title", '')))) FROM "articles";
CREATE TRIGGER "articles_search_insert" AFTER INSERT ON "articles" BEGIN INSERT INTO "articles_search" ("rowid", "text") SELECT new."id", (((coalesce(new."document_id", '') || char(10) || coalesce(new."body", '')) || char(10) || (coalesce(new."format", '') || char(10) || coalesce(new."rating", ''))) || char(10) || ((coalesce(new."reading_minutes", '') || char(10) || coalesce(new."slug", '')) || char(10) || (coalesce(new."summary", '') || char(10) || coalesce(new."title", '')))); END;
CREATE TRIGGER "articles_search_update" AFTER UPDATE ON "articles" WHEN (((coalesce(old."document_id", '') || char(10) || coalesce(old."body", '')) || char(10) || (coalesce(old."format", '') || char(10) || coalesce(old."rating", ''))) || char(10) || ((coalesce(old."reading_minutes", '') || char(10) || coalesce(old."slug", '')) || char(10) || (coalesce(old."summary", '') || char(10) || coalesce(old."title", '')))) IS NOT (((coalesce(new."document_id", '') || char(10) || coalesce(new."body", '')) || char(10) || (coalesce(new."format", '') || char(10) || coalesce(new."rating", ''))) || char(10) || ((coalesce(new."reading_minutes", '') || char(10) || coalesce(new."slug", '')) || char(10) || (coalesce(new."summary", '') || char(10) || coalesce(new."title", '')))) BEGIN DELETE FROM "articles_search" WHERE "rowid" = old."id"; INSERT INTO "articles_search" ("rowid", "text") SELECT new."id", (((coalesce(new."document_id", '') || char(10) || coalesce(new."body", '')) || char(10) || (coalesce(new."format", '') || char(10) || coalesce(new."rating", ''))) || char(10) || ((coalesce(new."reading_minutes", '') || char(10) || coalesce(new."slug", '')) || char(10) || (coalesce(new."summary", '') || char(10) || coalesce(new."title", '')))); END;
CREATE TRIGGER "articles_search_delete" AFTER DELETE ON "articles" BEGIN DELETE FROM "articles_search" WHERE "rowid" = old."id"; END;
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
