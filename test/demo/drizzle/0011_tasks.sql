-- deploy: before
CREATE TABLE `edgewise_tasks` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`argument` text NOT NULL
);
CREATE INDEX `edgewise_tasks_kind` ON `edgewise_tasks` (`kind`,`id`);
INSERT INTO "edgewise_stamps" ("id", "stamps") VALUES (1, json_object('every', lower(hex(randomblob(8))), 'purge', 1)) ON CONFLICT ("id") DO UPDATE SET "stamps" = json_patch("excluded"."stamps", json_object('fence', "edgewise_stamps"."stamps" ->> '$."fence"'));
