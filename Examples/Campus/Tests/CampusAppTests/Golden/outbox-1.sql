-- The file of changes as the schema "outbox 1" and the first versions of Campus' kinds have it, with
-- one change of Ada in each state. It is data of users in the field: never edit it.
--
-- To add the file of a later version, run that version, make changes with a server that answers as
-- needed (fail, invalid, reject, unauthorized), kill the app, and write `sqlite3 FILE .dump` to
-- outbox-2.sql. The bodies here have spaces and other orders of keys than Campus writes, so that a
-- request that was encoded again differs. `checksum` is FNV-1a of `request`, with 64 bits.

CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('outbox 1');

CREATE TABLE operation (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    entity TEXT NOT NULL,
    isHead INTEGER NOT NULL,
    dependsOn TEXT,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    label TEXT,
    record BLOB,
    change BLOB,
    base BLOB,
    theirs BLOB,
    request BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    entityTag TEXT,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    notBefore INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    firstSentAt INTEGER,
    status INTEGER,
    reason TEXT
);
CREATE INDEX operationOfEntity ON operation (account, entity, seq);
CREATE INDEX operationToSend ON operation (account, state, notBefore, seq) WHERE isHead = 1;
CREATE INDEX operationThatDepends ON operation (dependsOn) WHERE dependsOn IS NOT NULL;

CREATE TABLE lease (
    account TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    expiresAt INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE alias (
    account TEXT NOT NULL,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    PRIMARY KEY (account, old)
) WITHOUT ROWID;
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

INSERT INTO fact VALUES ('install', 'golden');
INSERT INTO fact VALUES ('lastSeen', '1789999940000');

INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    1, '00000000-0000-4000-8000-000000000001', 'ada', 'todos/abc123/abc123-2', 1, 'todos', 1, 'Write the table for the Bernoulli numbers',
    CAST('"abc123"' AS BLOB),
    CAST('{"isDone":true,"todo":"abc123-2"}' AS BLOB),
    CAST('PUT courses/abc123/todos/abc123-2
Accept: application/json
Content-Type: application/json

{ "isDone" : true }' AS BLOB),
    -4455662084300817381, 'queued', 0,
    0, 1789900001000, NULL, NULL, NULL
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    2, '00000000-0000-4000-8000-000000000002', 'ada', 'messages', 1, 'messages', 1, 'First',
    CAST('"m-1"' AS BLOB),
    CAST('{"draft":{"id":"d-1","recipients":[{"id":"tutor-babbage","name":"Charles Babbage","role":"tutor"}],"text":"First"},"id":"m-1"}' AS BLOB),
    CAST('POST messages
Accept: application/json
Content-Type: application/json

{ "text" : "First", "recipients" : ["tutor-babbage"] }' AS BLOB),
    6229666474615551919, 'sending', 1,
    0, 1789900002000, 1789999999000, NULL, NULL
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    3, '00000000-0000-4000-8000-000000000003', 'ada', 'favorites/cards', 1, 'favorites', 1, 'cards',
    CAST('{}' AS BLOB),
    CAST('{"isFavorite":true,"product":"cards"}' AS BLOB),
    CAST('PUT favorites/cards' AS BLOB),
    -8507538596351721481, 'waitingForLogIn', 1,
    0, 1789900003000, 1789999995000, NULL, NULL
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    4, '00000000-0000-4000-8000-000000000004', 'ada', 'purchases/cards', 1, 'purchases', 1, 'cards',
    NULL,
    NULL,
    CAST('POST purchases
Accept: application/json
Content-Type: application/json

{ "product" : "cards" }' AS BLOB),
    2540161090178009367, 'waitingForUpdate', 2,
    0, 1789900004000, NULL, 426, 'Update the app.'
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    5, '00000000-0000-4000-8000-000000000005', 'ada', 'todos/abc123/abc123-3', 1, 'todos', 1, 'Find the error in the fourth operation',
    CAST('"abc123"' AS BLOB),
    CAST('{"isDone":true,"todo":"abc123-3"}' AS BLOB),
    CAST('PUT courses/abc123/todos/abc123-3
Accept: application/json
Content-Type: application/json

{ "isDone" : true, "note" : "later versions do not know this" }' AS BLOB),
    4366407666993071568, 'conflict', 1,
    0, 1789900005000, NULL, 409, 'The campus is closed for changes right now.'
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    6, '00000000-0000-4000-8000-000000000006', 'ada', 'purchases/chalk', 1, 'purchases', 1, 'chalk',
    NULL,
    NULL,
    CAST('POST purchases
Accept: application/json
Content-Type: application/json

{ "product" : "chalk" }' AS BLOB),
    -6392719923524211873, 'needsReview', 3,
    0, 1789900006000, 1789910000000, NULL, 'The server may have forgotten the operation, so sending it again could repeat it.'
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    7, '00000000-0000-4000-8000-000000000007', 'ada', 'messages', 0, 'messages', 1, 'Second',
    CAST('"m-2"' AS BLOB),
    CAST('{"draft":{"id":"d-2","recipients":[{"id":"tutor-babbage","name":"Charles Babbage","role":"tutor"}],"text":"Second"},"id":"m-2"}' AS BLOB),
    CAST('POST messages
Accept: application/json
Content-Type: application/json

{ "text" : "Second", "recipients" : ["tutor-babbage"] }' AS BLOB),
    -3259899407968871461, 'refused', 1,
    0, 1789900007000, NULL, 422, 'The term is over, so this cannot be changed any more.'
);
