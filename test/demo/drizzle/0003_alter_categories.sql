UPDATE "categories" SET "locale" = 'en' WHERE "locale" = '';
UPDATE "articles_categories_lnk" SET "target_locale" = 'en' WHERE "target_locale" = '';
DELETE FROM "edgewise_counters" WHERE "type" = 'api::category.category';
INSERT INTO "edgewise_counters" ("type", "locale", "status", "total") SELECT 'api::category.category', "locale", iif("published_at" IS NULL, 'draft', 'published'), count(*) FROM "categories" GROUP BY 2, 3;
