/**
 * @module The cells of what knows what.
 */
import { because, type Cell, COMMANDS, each, MIGRATIONS, type Row, type Stored, tested, WRITES } from './model.ts';

// Tests of a whole kind of writes.
const written = tested('fuzz/written.test.ts', 'is done as a whole, or refused and not done');
const inSequence = tested('feature/batch/sequence-property.test.ts', 'does what its requests do in sequence');
const byTools = tested(
  'feature/mcp/tools.test.ts',
  'makes drafts, says what differs, and publishes what was confirmed',
);
const byCode = tested('feature/code/routes.test.ts', 'are created, changed, published, unpublished and deleted');
const restored = tested(
  'feature/history/many-relations.test.ts',
  'a type with drafts, history and 220 relations is created, changed, published, restored and deleted',
);
const versions = tested(
  'fuzz/written-history.long.test.ts',
  'keeps the versions that writes make, and restores what readers found',
);
const scheduled = tested('feature/writes/scheduled-publication.test.ts', 'is carried out once its time has come');
const uploaded = tested('fuzz/written-files.test.ts', 'is done as a whole, or refused and not done');
const users = tested('fuzz/written-users.test.ts', 'is done as a whole, or refused and not done');
const hostile = tested('fuzz/requests.test.ts', 'the totals are right after all that');
const counted = tested('feature/writes/counters.test.ts', 'stay equal to count(*) through any sequence of writes');
const fresh = tested(
  'feature/reads/fresh-answers.test.ts',
  'what eight readers are told while four writers write was never out of date',
);

// Reasons.
const notContent = because('is no content: no write of a document names it');
const byAccounts = because('is changed by routes of accounts alone, which are REST');
const noAccounts = because('writes no accounts');
const noFiles = because('writes no files');
const carriesOutOnly = because('changes content by schedules alone, which have a column of their own');
const attachesOnly = because('changes links to files alone, which have a row of their own');
const asRest = because('runs the same operation as REST, and the row of its effect is tested there');
const byCommandAlone = because('is written by commands alone');

// Tests of commands.
const cli = (file: string, title: string): Cell => tested(`unit/cli/${file}.test.ts`, title);
const chain = cli('chains', 'a chain of commands leaves what it does not change, with the seed %i');
const changed = cli('attribute-changes', '$title');
const imported = cli('import/take', 'keeps documents, versions, locales, times and every value');
const replaced = cli('import/take', 'leaves nothing of what was there, but tokens');
const onlyOthers = cli('import/groups', 'deletes no content with %s');
const exported = cli('import/export', 'comes back as it was');
const backedUp = cli('backup/backup', 'brings every value, table, index, trigger, id and object back as it was');
const withIndex = cli(
  'search-index',
  'follows attributes that are added, renamed and removed, and other types of attributes',
);

const byMigrations = because('changes the database by migrations alone, which have columns of their own');
const notOfTypes = because('names no content type and no attribute: no migration changes it');
const ofVersions = because('deletes former versions alone');
const byMediaCheck = because('changes rows of files, their links and objects alone');
const notInArchives = because('is in no archive of Strapi');
const ofDeployment = because('is of the deployment, not of its content: an import leaves it');

/** What commands do to most rows of content. */
const byCommands = {
  ...each(MIGRATIONS, changed),
  ...{ import: imported, 'import --replace': replaced, 'import --only': onlyOthers, export: exported },
  ...{ backup: backedUp, restore: backedUp, purge: ofVersions, 'media check': byMediaCheck, deploy: byMigrations },
};

/** Of rows that are about no content type, and that archives of Strapi do not have. */
const besideContent = {
  ...each(MIGRATIONS, notOfTypes),
  ...each(['import', 'import --replace', 'import --only'], ofDeployment),
  ...{ export: notInArchives, backup: backedUp, restore: backedUp, purge: ofVersions },
  ...{ 'media check': byMediaCheck, deploy: byMigrations },
};

/** Of objects in the buckets. */
const ofBucket = {
  ...each(MIGRATIONS, because('changes the database alone')),
  ...{ purge: ofVersions, deploy: because('changes no bucket') },
};

const ofIsolate = {
  ...each(MIGRATIONS, because('rotates every stamp, which the row of stamps holds')),
  ...each(COMMANDS, because('rotates every stamp, which the row of stamps holds, or only reads')),
  deploy: because('is that of an isolate, and each deployment has its own'),
};

/** Of a table of accounts. */
const account = {
  ...each(['batch', 'tools', 'restoring', 'schedule'], noAccounts),
  ...each(MIGRATIONS, because('has columns of the system; own attributes change like those of content')),
  import: cli('import/take', 'takes users with their hashes and roles, and without the codes of messages'),
  ...{ 'import --replace': replaced, 'import --only': onlyOthers },
  export: cli('import/users', 'come with their values, links, files and components, go out, and come back the same'),
  ...{ backup: backedUp, restore: backedUp, purge: ofVersions, 'media check': byMediaCheck, deploy: byMigrations },
};

/** Of a kind of attributes. */
const attribute = {
  ...{ REST: written, batch: inSequence, tools: byTools, 'own code': byCode },
  ...{ cron: carriesOutOnly, restoring: versions, schedule: scheduled },
  ...byCommands,
};

const readOnly = because('is read from other rows, and stored nowhere');
const computed = { ...each(WRITES, readOnly), ...each(MIGRATIONS, readOnly), ...each(COMMANDS, readOnly) };

export const KNOWLEDGE: Readonly<Record<Stored, Row>> = {
  'scalar attribute': { ...attribute, upload: attachesOnly },
  'component attribute': {
    ...{ ...attribute, upload: attachesOnly },
    schedule: tested(
      'feature/writes/publication-property.test.ts',
      'after each action the versions are what it promises',
    ),
    import: cli('import/take', 'puts relations and media into the components that have them'),
  },
  'dynamiczone attribute': {
    ...{ ...attribute, upload: attachesOnly },
    restoring: tested(
      'feature/history/former-versions.test.ts',
      'with its relations, components and zone as they were, in their order',
    ),
  },
  'relation attribute': {
    ...{ ...attribute, upload: attachesOnly },
    batch: tested('feature/batch/exclusive-property.test.ts', 'does what its requests do in sequence'),
    restoring: restored,
    import: cli('import/take', 'keeps links in their versions and orders, from both ends'),
  },
  'polymorphic attribute': {
    ...{ ...attribute, upload: attachesOnly },
    REST: tested(
      'feature/writes/polymorphic-locales.test.ts',
      'links, orders and unlinks the documents of its own locale',
    ),
    restoring: tested(
      'unit/history/kept-entries.test.ts',
      'is the first of several in a relation to one, and has its type in a polymorphic one',
    ),
    rename: cli('polymorphic-changes', 'follow a renamed attribute'),
    retype: cli('polymorphic-changes', 'are deleted, and counted, where it may have one only'),
    removal: cli('polymorphic-changes', 'are deleted with a type, and counted'),
    locales: chain,
    drafts: chain,
    import: cli('import/polymorphic', 'are taken and exported, in their order and versions, of every target'),
    export: cli('import/polymorphic', 'come back as they were exported'),
  },
  'media attribute': {
    ...attribute,
    upload: uploaded,
    'media check': tested(
      'feature/upload/media-check.test.ts',
      'finds a file without its bytes, and removes it with its links and formats',
    ),
  },
  ...{ 'creator attribute': computed, 'localizations attribute': computed, 'related attribute': computed },
  'overflow column': {
    ...{ ...attribute, upload: attachesOnly },
    REST: tested(
      'feature/writes/wide-types.test.ts',
      'keeps every value through create, update, publication and reads',
    ),
    restoring: tested('fuzz/as-large-as-it-may-be.test.ts', 'every request works with the largest %s'),
  },
  'search index': {
    REST: tested(
      'feature/reads/search-index.test.ts',
      'leaves every row in its index with its texts, and none that is gone',
    ),
    ...each(
      ['batch', 'tools', 'own code', 'cron', 'upload', 'restoring', 'schedule'],
      because('is kept by triggers of the table, whatever writes'),
    ),
    ...byCommands,
    ...each(['rename', 'retype', 'removal'], withIndex),
    ...each(['locales', 'drafts'], cli('search-index', 'follows its table to another name, and drafts that begin')),
    ...each(
      ['import', 'import --replace', 'import --only', 'media check'],
      because('is kept by triggers of the table, whatever writes'),
    ),
    export: notInArchives,
  },
  counters: {
    ...{
      REST: counted,
      batch: inSequence,
      upload: hostile,
      schedule: asRest,
      restoring: asRest,
      tools: asRest,
      'own code': asRest,
    },
    cron: carriesOutOnly,
    ...byCommands,
    ...each(MIGRATIONS, chain),
    'single type': changed,
    ...each(['import', 'import --replace', 'import --only', 'media check'], chain),
    export: notInArchives,
  },
  stamps: {
    REST: fresh,
    batch: tested('unit/execute/caller.test.ts', 'rotates each stamp once, after the changes'),
    ...each(
      ['tools', 'own code', 'restoring', 'schedule', 'upload'],
      because('commits by the one function that rotates them'),
    ),
    cron: carriesOutOnly,
    ...byCommands,
    ...each(MIGRATIONS, cli('generate', 'are cut when there are very many statements, or very long ones, and say so')),
    ...each(
      ['import', 'import --replace', 'import --only'],
      cli(
        'core/statements',
        'of an import that are too many for a batch are several, and the last one notes the progress',
      ),
    ),
    export: because('only reads'),
    purge: because('deletes former versions alone, which no stamp covers'),
    'media check': tested(
      'feature/upload/media-check.test.ts',
      'finds formats without their bytes, and takes them out of the file',
    ),
    deploy: tested('feature/writes/fence.test.ts', 'is followed by a purge of the shared cache, once'),
  },
  history: {
    REST: tested(
      'feature/history/former-versions.test.ts',
      'drafts and published versions are apart, and saves of a draft in one sitting replace one another',
    ),
    batch: tested(
      'feature/history/former-versions.test.ts',
      'each write of a batch keeps what the batch has made of its document',
    ),
    tools: byTools,
    'own code': tested(
      'feature/history/former-versions.test.ts',
      'what own code writes while a version is restored is an update of its own',
    ),
    cron: tested(
      'feature/history/many-versions.test.ts',
      'of what is too much deletes a thousand of the oldest, and no more than what is too much',
    ),
    upload: tested(
      'feature/history/lists.test.ts',
      'an upload that attaches a file keeps what was there, and the version with the file',
    ),
    restoring: versions,
    schedule: tested(
      'feature/history/lists.test.ts',
      'a schedule names its maker as it is called when the publication comes, and no deleted one',
    ),
    ...byCommands,
    ...each(
      ['import', 'import --replace'],
      tested(
        'feature/history/imports.test.ts',
        'an update of imported content of %s keeps it, and only the first one does',
      ),
    ),
    rename: cli('renamed-versions', '$what'),
    retype: cli('renamed-versions', 'without the values of attributes without a column that have another type now'),
    locales: cli('renamed-versions', 'after a type has got or lost locales'),
    drafts: cli('renamed-versions', 'are deleted when it %s'),
    'single type': cli('renamed-versions', 'are those of the document that is kept, as %s'),
    removal: cli('renamed-versions', 'are deleted when it %s'),
    'import --only': onlyOthers,
    export: notInArchives,
    purge: cli('prune-history', 'deletes all versions of a document of a type, and says how many'),
  },
  schedule: {
    REST: tested('feature/writes/scheduled-publication.test.ts', 'replaces the one before of the same action'),
    batch: because('takes no actions'),
    tools: because('take no times'),
    'own code': because('takes no times'),
    cron: tested(
      'feature/writes/scheduled-publication.test.ts',
      'beside others carries each out once, and many in several runs',
    ),
    upload: because('takes no times'),
    restoring: because('writes a draft, and leaves its schedules as they are'),
    schedule: tested(
      'feature/writes/scheduled-publication.test.ts',
      'that cannot be carried out keeps its error, and holds nothing up',
    ),
    ...byCommands,
    'import --replace': tested('unit/cli/import/groups.test.ts', 'deletes the schedules of the deleted documents'),
    retype: notOfTypes,
    import: because('has none, and begins in an empty database'),
    export: notInArchives,
  },
  requests: {
    REST: tested(
      'feature/writes/idempotency-key.test.ts',
      'has the first response, also after the document was changed and deleted',
    ),
    batch: tested('feature/batch/idempotency-key.test.ts', 'is carried out once, and repeated with the same bodies'),
    tools: because('send no Idempotency-Key'),
    'own code': because('sends no Idempotency-Key: that of its request is not its own'),
    cron: because('deletes none: a later request with a key deletes what is old'),
    upload: tested(
      'feature/upload/idempotency-key.test.ts',
      'shows the files as they are, if the response was not stored',
    ),
    ...each(['restoring', 'schedule'], because('takes no Idempotency-Key')),
    ...besideContent,
    'single type': because('is of a request to a path that is gone with the collection, and ends after a day'),
    backup: tested(
      'unit/cli/backup/backup.test.ts',
      'reads large tables without stamps page by page, and the small ones in one transaction',
    ),
    'import --replace': cli(
      'import/groups',
      'deletes the responses to requests that would be repeated: their documents are gone',
    ),
  },
  outbox: {
    REST: tested('feature/webhooks/outbox.test.ts', 'one message for each event that a webhook takes'),
    batch: tested('feature/webhooks/outbox.test.ts', 'those of all requests of a batch, in order, or none'),
    ...each(['tools', 'own code', 'restoring'], asRest),
    cron: tested(
      'feature/webhooks/delivery.test.ts',
      'deletes what was delivered a day ago, what is a month old, and what no webhook is for',
    ),
    upload: tested('feature/webhooks/outbox.test.ts', 'those of single types and of files'),
    schedule: tested('feature/webhooks/outbox.test.ts', 'those of publication actions'),
    ...besideContent,
    rename: changed,
    'single type': changed,
    removal: changed,
    ...each(['backup', 'restore'], cli('backup/backup', 'takes the place of what is there, and leaves other objects')),
  },
  tasks: {
    REST: tested(
      'feature/history/forgotten-names.test.ts',
      'leaves its name to steps of bounded work, and no response shows it meanwhile',
    ),
    upload: tested(
      'feature/upload/many-tables.test.ts',
      'unlinks the first of them at once and the others in steps, and no response shows them meanwhile',
    ),
    cron: tested('feature/upload/left-files.test.ts', 'leaves the objects of most files to the cron trigger'),
    ...each(
      ['batch', 'tools', 'own code', 'restoring', 'schedule'],
      because('leaves tasks for links as REST does, and deletes neither users nor files'),
    ),
    ...each(
      MIGRATIONS,
      because(
        'names a file by its hash, a user by its id; the task of a type that is renamed ends, and no read shows its links',
      ),
    ),
    ...each(
      ['import', 'import --only'],
      tested('feature/upload/left-files.test.ts', 'keeps the objects of a file that is there again'),
    ),
    'import --replace': tested(
      'unit/cli/import/groups.test.ts',
      'deletes the tasks that deletions have left: they are of other users and files',
    ),
    export: because('is no content, and Strapi has no such tasks'),
    backup: tested(
      'unit/cli/backup/backup.test.ts',
      'brings every value, table, index, trigger, id and object back as it was',
    ),
    restore: tested(
      'unit/cli/backup/restore.test.ts',
      'is forgotten from the first version again, since their rows have other numbers',
    ),
    purge: because('deletes versions, which then have no name to remove'),
    'media check': because('moves to the trash what a task would delete, which then finds nothing'),
    deploy: because('each version does the same steps, and one that does not know a kind leaves its tasks to the next'),
  },
  endpoints: {
    ...each(
      ['REST', 'batch', 'tools', 'own code', 'upload', 'restoring', 'schedule'],
      because('is written by deliveries alone'),
    ),
    cron: tested(
      'feature/webhooks/delivery.test.ts',
      'gets each message again with the same id, one document in order, others meanwhile',
    ),
    ...besideContent,
    ...each(['backup', 'restore'], cli('backup/backup', 'takes the place of what is there, and leaves other objects')),
  },
  users: {
    ...account,
    REST: users,
    'own code': because('has no documents of users'),
    cron: noAccounts,
    upload: tested(
      'feature/users/own-attributes.test.ts',
      'takes the place of the one before, and goes behind the others of a list',
    ),
  },
  userRoles: {
    ...account,
    REST: tested('advisories/sessions-end.test.ts', 'ends with %s, with a %i on every surface'),
    'own code': because('has no documents of users'),
    ...each(['cron', 'upload'], noAccounts),
  },
  roles: {
    ...each(WRITES, because('is a copy of the settings, for relations to it')),
    ...byCommands,
    export: tested(
      'unit/cli/import/export.test.ts',
      'leaves permissions with conditions out of their roles, and says which and why',
    ),
    ...each(MIGRATIONS, notOfTypes),
    'import --replace': replaced,
  },
  sessions: {
    ...account,
    REST: tested(
      'feature/users/sessions.test.ts',
      'end with a change of password, but for the one that makes it, whose refresh token is another then',
    ),
    ...each(['own code', 'cron', 'upload'], byAccounts),
    export: notInArchives,
  },
  identities: {
    ...account,
    REST: tested('feature/users/providers.test.ts', 'is gone with its user'),
    ...each(['own code', 'cron', 'upload'], byAccounts),
    ...each(MIGRATIONS, notOfTypes),
    import: because('names users of the deployment; those of an archive sign in to make theirs'),
    export: notInArchives,
  },
  oauthGrants: {
    ...account,
    REST: tested('feature/oauth/ends.test.ts', 'ends with $change'),
    ...each(['own code', 'cron', 'upload'], byAccounts),
    ...each(MIGRATIONS, notOfTypes),
    'single type': because('names types, whose kind it does not know'),
    ...each(
      ['rename', 'removal'],
      cli(
        'renamed-versions',
        'are no matter of a client that was let use the type: what it was let do ends when the type goes or has another uid',
      ),
    ),
    import: because('names users of the deployment; those of an archive connect clients anew'),
    export: notInArchives,
    restore: cli('backup/restore', 'ends with a restore, since it may have ended meanwhile'),
  },
  redemptions: {
    REST: tested(
      'advisories/provider-sign-ins-open-no-other-account.test.ts',
      'is redeemed once, also by two requests at once',
    ),
    ...each(['batch', 'tools', 'own code', 'cron', 'upload', 'restoring', 'schedule'], byAccounts),
    ...besideContent,
  },
  apiTokens: {
    ...each(['batch', 'tools', 'own code', 'cron', 'upload', 'restoring', 'schedule'], byCommandAlone),
    REST: tested('feature/access/tokens.test.ts', 'is noted again after an hour, and not before'),
    ...besideContent,
    rename: changed,
    'single type': because('names types, whose kind it does not know'),
    removal: changed,
    'import --replace': replaced,
  },
  files: {
    ...each(['REST', 'upload'], uploaded),
    batch: because('takes no paths of files'),
    tools: tested(
      'feature/mcp/tools.test.ts',
      'a small file is uploaded in the call, another to an address that works once',
    ),
    ...each(['own code', 'cron', 'restoring', 'schedule'], noFiles),
    ...byCommands,
    export: tested(
      'unit/cli/import/export.test.ts',
      'keeps the provider of a file at another address, and misses none of its bytes',
    ),
    'media check': tested(
      'feature/upload/media-check.test.ts',
      'leaves a file and formats whose bytes are at another address, with their links',
    ),
    ...each(MIGRATIONS, notOfTypes),
    import: cli('import/take', 'takes bytes under the names that they had, with their type, and shows files there'),
  },
  folders: {
    REST: tested(
      'feature/upload/folders.test.ts',
      'are moved with what is below them, and into no folder below themselves',
    ),
    upload: tested('feature/upload/folders.test.ts', 'is put into a folder by its info, and out of it'),
    ...each(['batch', 'tools', 'own code', 'cron', 'restoring', 'schedule'], noFiles),
    ...byCommands,
    ...each(MIGRATIONS, notOfTypes),
    ...each(
      ['import', 'export'],
      cli('import/export', 'counts what is private, and its import warns that folders no longer are'),
    ),
  },
  pictures: {
    REST: tested('unit/upload/made-pictures.test.ts', 'is made once and served from then on'),
    upload: tested('feature/upload/pictures-on-request.test.ts', 'go with %s'),
    ...each(['batch', 'tools', 'own code', 'cron', 'restoring', 'schedule'], noFiles),
    ...besideContent,
    ...each(
      ['import', 'import --replace', 'import --only'],
      cli('import/take', 'leaves no picture on request, which may show other bytes or another focal point'),
    ),
    'media check': tested(
      'feature/upload/media-check.test.ts',
      'removes the claims of pictures on request without a file, and keeps the others',
    ),
  },
  pictureMonths: {
    REST: tested(
      'feature/upload/pictures-on-request.test.ts',
      'is served past the transformations of a month, which begin again with the next',
    ),
    ...each(
      ['batch', 'tools', 'own code', 'cron', 'upload', 'restoring', 'schedule'],
      because('makes no picture on request'),
    ),
    ...besideContent,
  },
  commands: {
    ...each(WRITES, byCommandAlone),
    ...besideContent,
    ...each(
      ['import --replace', 'backup', 'restore', 'media check', 'deploy'],
      tested('node/cli/remote-commands.test.ts', '%s works, and leaves no claim, when the other one has ended'),
    ),
  },
  imports: {
    ...each(WRITES, byCommandAlone),
    ...besideContent,
    import: tested(
      'unit/cli/import/model.test.ts',
      'takes the groups that an earlier import of the archive has left out',
    ),
    'import --replace': tested(
      'unit/cli/import/groups.test.ts',
      'of another archive does not count once its content is replaced',
    ),
    'import --only': tested(
      'unit/cli/import/groups.test.ts',
      'is completed by an import of the others, and then by none',
    ),
    export: because('only reads'),
  },
  migrations: {
    ...each(WRITES, byCommandAlone),
    ...besideContent,
    ...each(MIGRATIONS, cli('history', 'notes what it has applied, in the transaction that applies it')),
    deploy: cli('deploy', 'from nothing end with a database that has every migration once'),
  },
  'originals and formats': {
    ...each(
      ['REST', 'upload'],
      tested('fuzz/requests.test.ts', 'nothing hidden is gone after all that, and no bytes are left over'),
    ),
    tools: tested('feature/mcp/sealed.test.ts', 'takes one file, and no other bytes afterwards'),
    ...each(['batch', 'own code', 'cron', 'restoring', 'schedule'], noFiles),
    ...ofBucket,
    'import --only': tested(
      'unit/cli/import/groups.test.ts',
      'puts the bytes of the archive in the place of others with --only files',
    ),
    import: cli('import/take', 'takes bytes under the names that they had, with their type, and shows files there'),
    'import --replace': cli(
      'import/take',
      'puts an object again whose bytes are others of the same number, and no object that is the same',
    ),
    export: cli('import/export', 'has links between rows that are there, each once, and files beside their bytes'),
    ...each(['backup', 'restore'], backedUp),
    'media check': tested('feature/upload/media-check.test.ts', 'finds and removes objects without a file'),
  },
  'pictures on request': {
    REST: tested('feature/upload/folders.test.ts', 'deletes the pictures on request of its files'),
    upload: tested('unit/upload/made-pictures.test.ts', 'is deleted if its file has changed while it was made'),
    ...each(['batch', 'tools', 'own code', 'cron', 'restoring', 'schedule'], noFiles),
    ...ofBucket,
    ...each(
      ['import', 'import --replace', 'import --only'],
      cli('import/take', 'leaves no picture on request, which may show other bytes or another focal point'),
    ),
    export: notInArchives,
    ...each(
      ['backup', 'restore'],
      cli('backup/restore', 'are those of the backup: later ones may show other bytes or another focal point'),
    ),
    'media check': tested('feature/upload/media-check.test.ts', 'finds and removes pictures on request without a file'),
  },
  trash: {
    ...each(WRITES, byCommandAlone),
    ...ofBucket,
    ...each(['import', 'import --replace', 'import --only'], because('puts no object there, and takes none away')),
    export: notInArchives,
    ...each(
      ['backup', 'restore'],
      cli('backup/backup', 'names objects of files that are not there, and leaves the trash out'),
    ),
    'media check': tested(
      'feature/upload/media-check.test.ts',
      'empties the trash when the number is confirmed, and touches nothing else',
    ),
  },
  'unfinished uploads': {
    ...each(
      ['REST', 'upload'],
      tested('feature/upload/files.test.ts', 'goes through the bucket in parts and comes back as it was'),
    ),
    ...each(['batch', 'tools', 'own code', 'cron', 'restoring', 'schedule'], noFiles),
    ...each(MIGRATIONS, because('changes the database alone')),
    ...each(
      COMMANDS,
      because('lists no object of them: they are none until they are complete, and the bucket drops them'),
    ),
  },
  'cache of plans': {
    ...each(WRITES, because('depends on the query, the settings and the rights alone, which are its key')),
    ...ofIsolate,
    deploy: because('is that of an isolate, and each deployment has its own'),
  },
  'cache of responses': {
    ...each(['REST', 'batch', 'tools', 'own code', 'upload', 'restoring', 'schedule'], fresh),
    cron: carriesOutOnly,
    ...ofIsolate,
  },
  'cache of advised': {
    ...each(WRITES, notContent),
    ...ofIsolate,
    ...each(MIGRATIONS, notContent),
    ...each(COMMANDS, notContent),
  },
  'cache of targets': {
    REST: tested(
      'feature/writes/target-cache.test.ts',
      'a target that was deleted since is refused, as without the cache',
    ),
    ...each(
      ['batch', 'tools', 'own code', 'upload', 'restoring', 'schedule'],
      because('asserts in its batch what a create has cached, whoever wrote meanwhile'),
    ),
    cron: carriesOutOnly,
    ...ofIsolate,
    ...each(
      [...MIGRATIONS, ...COMMANDS],
      because('is asserted in the batch of each create, whatever changed it meanwhile'),
    ),
  },
  'shared cache': {
    REST: tested('feature/http/caching.test.ts', 'what it made untrue is dropped'),
    ...each(['batch', 'tools', 'own code', 'upload', 'restoring'], because('commits by the one function that purges')),
    cron: carriesOutOnly,
    schedule: tested('feature/code/cron.test.ts', 'purges the responses of a public role whose grants are patterns'),
    ...ofIsolate,
    ...each(
      [...MIGRATIONS, ...COMMANDS],
      tested('feature/writes/fence.test.ts', 'is followed by a purge of the shared cache, once'),
    ),
    ...each(['export', 'backup'], because('only reads')),
    purge: because('deletes former versions alone, which no cache stores'),
  },
};
