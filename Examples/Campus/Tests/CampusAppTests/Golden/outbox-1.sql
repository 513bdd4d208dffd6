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
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE INDEX operationToSend ON operation (account, notBefore, seq) WHERE isHead = 1 AND state = 'queued';
CREATE INDEX operationThatDepends ON operation (dependsOn) WHERE dependsOn IS NOT NULL;

CREATE TABLE tally (
    account TEXT NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (account, state)
) WITHOUT ROWID;
CREATE TRIGGER tallyInsert AFTER INSERT ON operation BEGIN
    INSERT INTO tally VALUES (new.account, new.state, 1, (length(new.request) + ifnull(length(new.change), 0) + ifnull(length(new.base), 0)))
    ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER tallyDelete AFTER DELETE ON operation BEGIN
    UPDATE tally SET count = count - 1, bytes = bytes - (length(old.request) + ifnull(length(old.change), 0) + ifnull(length(old.base), 0))
    WHERE account = old.account AND state = old.state;
END;
CREATE TRIGGER tallyUpdate AFTER UPDATE OF state, request, change, base ON operation BEGIN
    UPDATE tally SET count = count - 1, bytes = bytes - (length(old.request) + ifnull(length(old.change), 0) + ifnull(length(old.base), 0))
    WHERE account = old.account AND state = old.state;
    INSERT INTO tally VALUES (new.account, new.state, 1, (length(new.request) + ifnull(length(new.change), 0) + ifnull(length(new.base), 0)))
    ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
END;

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
    CAST('{"body":"eyAiaXNEb25lIiA6IHRydWUgfQ==","contentType":"application/json","headers":[{"name":"Accept","value":"application/json"}],"method":"PUT","path":"courses/abc123/todos/abc123-2","query":""}' AS BLOB),
    -750047905646993158, 'queued', 0,
    0, 1789900001000, NULL, NULL, NULL
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    2, '00000000-0000-4000-8000-000000000002', 'ada', 'messages', 1, 'messages', 1, 'First',
    CAST('"m-1"' AS BLOB),
    CAST('{"draft":{"id":"d-1","recipients":[{"id":"tutor-babbage","name":"Charles Babbage","role":"tutor"}],"text":"First"},"id":"m-1"}' AS BLOB),
    CAST('{"body":"eyAidGV4dCIgOiAiRmlyc3QiLCAicmVjaXBpZW50cyIgOiBbInR1dG9yLWJhYmJhZ2UiXSB9","contentType":"application/json","headers":[{"name":"Accept","value":"application/json"}],"method":"POST","path":"messages","query":""}' AS BLOB),
    -2477413919565617038, 'sending', 1,
    0, 1789900002000, 1789999999000, NULL, NULL
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    3, '00000000-0000-4000-8000-000000000003', 'ada', 'favorites/cards', 1, 'favorites', 1, 'cards',
    CAST('{}' AS BLOB),
    CAST('{"isFavorite":true,"product":"cards"}' AS BLOB),
    CAST('{"headers":[],"method":"PUT","path":"favorites/cards","query":""}' AS BLOB),
    -1273490774682821747, 'waitingForLogIn', 1,
    0, 1789900003000, 1789999995000, NULL, NULL
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    4, '00000000-0000-4000-8000-000000000004', 'ada', 'purchases/cards', 1, 'purchases', 1, 'cards',
    NULL,
    NULL,
    CAST('{"body":"eyAicHJvZHVjdCIgOiAiY2FyZHMiIH0=","contentType":"application/json","headers":[{"name":"Accept","value":"application/json"}],"method":"POST","path":"purchases","query":""}' AS BLOB),
    -5647218868764712750, 'waitingForUpdate', 2,
    0, 1789900004000, NULL, 426, 'Update the app.'
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    5, '00000000-0000-4000-8000-000000000005', 'ada', 'todos/abc123/abc123-3', 1, 'todos', 1, 'Find the error in the fourth operation',
    CAST('"abc123"' AS BLOB),
    CAST('{"isDone":true,"todo":"abc123-3"}' AS BLOB),
    CAST('{"body":"eyAiaXNEb25lIiA6IHRydWUsICJub3RlIiA6ICJsYXRlciB2ZXJzaW9ucyBkbyBub3Qga25vdyB0aGlzIiB9","contentType":"application/json","headers":[{"name":"Accept","value":"application/json"}],"method":"PUT","path":"courses/abc123/todos/abc123-3","query":""}' AS BLOB),
    4643441039497101185, 'conflict', 1,
    0, 1789900005000, NULL, 409, 'The campus is closed for changes right now.'
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    6, '00000000-0000-4000-8000-000000000006', 'ada', 'purchases/chalk', 1, 'purchases', 1, 'chalk',
    NULL,
    NULL,
    CAST('{"body":"eyAicHJvZHVjdCIgOiAiY2hhbGsiIH0=","contentType":"application/json","headers":[{"name":"Accept","value":"application/json"}],"method":"POST","path":"purchases","query":""}' AS BLOB),
    4848030441104380356, 'needsReview', 3,
    0, 1789900006000, 1789910000000, NULL, 'The server may have forgotten the operation, so sending it again could repeat it.'
);
INSERT INTO operation (
    seq, id, account, entity, isHead, kind, version, label, record, change, request, checksum, state, attempts,
    notBefore, createdAt, firstSentAt, status, reason
) VALUES (
    7, '00000000-0000-4000-8000-000000000007', 'ada', 'messages', 0, 'messages', 1, 'Second',
    CAST('"m-2"' AS BLOB),
    CAST('{"draft":{"id":"d-2","recipients":[{"id":"tutor-babbage","name":"Charles Babbage","role":"tutor"}],"text":"Second"},"id":"m-2"}' AS BLOB),
    CAST('{"body":"eyAidGV4dCIgOiAiU2Vjb25kIiwgInJlY2lwaWVudHMiIDogWyJ0dXRvci1iYWJiYWdlIl0gfQ==","contentType":"application/json","headers":[{"name":"Accept","value":"application/json"}],"method":"POST","path":"messages","query":""}' AS BLOB),
    6178930593629195552, 'dead', 1,
    0, 1789900007000, NULL, 422, 'The term is over, so this cannot be changed any more.'
);
