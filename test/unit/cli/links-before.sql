-- Documents and links as migrations 0001 to 0005 and the code of their time left them.
insert into authors (id, document_id, locale, published_at, name) values (1, 'zed', '', 1, 'Zed'), (2, 'amy', '', 1, 'Amy');
insert into categories (id, document_id, locale, published_at, name) values (1, 'news', 'en', 1, 'News'), (2, 'news', 'fr', 1, 'Nouvelles'), (3, 'arts', 'en', 1, 'Arts');
insert into files (id, document_id, locale, published_at, name) values (1, 'photo', '', 1, 'photo.png');
-- "one" is published and its draft differs, "two" is a draft alone, "three" is published as its draft is.
insert into articles (id, document_id, locale, published_at, title) values
  (1, 'one', '', null, 'One, later'), (2, 'two', '', null, 'Two'), (3, 'three', '', null, 'Three'), (8, 'one', '', 9, 'One'), (9, 'three', '', 9, 'Three');
insert into homepages (id, document_id, locale, published_at) values (1, 'home', '', 1);
insert into articles_author_lnk values (1, 'amy', '', 1, 1), (8, 'zed', '', 1, 1), (2, 'zed', '', 1, 2), (3, 'zed', '', 1, 3), (9, 'zed', '', 1, 4);
insert into articles_categories_lnk values (1, 'news', 'en', 1, 1), (1, 'arts', 'en', 2, 1), (1, 'news', 'fr', 3, 1), (8, 'news', 'en', 1, 2), (9, 'arts', 'en', 1, 2);
insert into articles_related_lnk values (1, 'two', '', 1, 1), (1, 'three', '', 2, 1), (1, 'one', '', 3, 1), (8, 'two', '', 2, 2), (8, 'three', '', 1, 2);
insert into articles_cover_lnk values (1, 'photo', '', 1, 1), (8, 'photo', '', 1, 2);
insert into homepages_highlights_lnk values (1, 'two', '', 1, 1), (1, 'three', '', 2, 1), (1, 'one', '', 3, 1);
insert into up_roles (id, document_id, locale, published_at, name) values (1, 'role', '', 1, 'Editor');
insert into up_users (id, document_id, locale, published_at, username) values (5, 'ann', '', 1, 'ann');
insert into up_users_role_lnk values (5, 'role', '', 1, 1);
