-- deploy: before
ALTER TABLE `up_users` ADD `email_proven` integer;
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))), 'purge', 1)) ON CONFLICT ("id") DO UPDATE SET "stamps" = json_patch("excluded"."stamps", json_object('fence', "edgewise_stamps"."stamps" ->> '$."fence"'));
