-- deploy: before
CREATE INDEX `edgewise_history_type` ON `edgewise_history` (`type`,`at`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps";
