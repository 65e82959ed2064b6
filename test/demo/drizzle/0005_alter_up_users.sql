ALTER TABLE `up_users` ADD `username_key` text;
ALTER TABLE `up_users` ADD `email_key` text;
CREATE INDEX `up_users_username_key` ON `up_users` (`username_key`);
CREATE INDEX `up_users_email_key` ON `up_users` (`email_key`);
UPDATE "up_users" SET "username_key" = lower("username");
UPDATE "up_users" SET "email_key" = lower("email");
