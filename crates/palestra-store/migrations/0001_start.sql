-- Ids are made by the store, grow with time, and are never shown. Times are milliseconds since 1970. Tokens are kept as
-- hashes only. The text is the same for SQLite and PostgreSQL.

CREATE TABLE accounts (
    id BIGINT PRIMARY KEY,
    nickname TEXT NOT NULL,
    nickname_key TEXT NOT NULL UNIQUE, -- in lower case: two people must not look alike
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE, -- in lower case
    password TEXT NOT NULL,
    role TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);

-- Those who have not followed the link in their mail yet. Anybody can type anybody's address, so that there may be several
-- for one.
CREATE TABLE registrations (
    id BIGINT PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    nickname TEXT NOT NULL,
    nickname_key TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    password TEXT NOT NULL,
    expires_ms BIGINT NOT NULL
);

-- Links that work once: to choose a new password (with an account), to make the first admin (without).
CREATE TABLE links (
    token TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    account_id BIGINT REFERENCES accounts (id) ON DELETE CASCADE,
    expires_ms BIGINT NOT NULL
);

CREATE TABLE sessions (
    token TEXT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);

CREATE TABLE api_tokens (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL, -- words, with a blank between them
    created_ms BIGINT NOT NULL,
    used_ms BIGINT
);
CREATE INDEX api_tokens_account ON api_tokens (account_id);

CREATE TABLE maps (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    created_ms BIGINT NOT NULL
);

-- Live games. What they are is known to the server alone; here they are texts.
CREATE TABLE tables (
    id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE, -- its address
    state TEXT NOT NULL,
    clock_ms BIGINT NOT NULL, -- what the table's clock showed when it was saved
    saved_ms BIGINT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE TABLE table_messages (
    table_code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_code, seq)
);

-- When the server was last known to be up: the time after that counts for nobody's clock.
CREATE TABLE heartbeat (
    id BIGINT PRIMARY KEY,
    alive_ms BIGINT NOT NULL
);

CREATE TABLE games (
    id BIGINT PRIMARY KEY, -- grows with the time of the end
    code TEXT NOT NULL UNIQUE, -- its address
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    table_code TEXT,
    is_public BOOLEAN NOT NULL,
    is_rated BOOLEAN NOT NULL,
    points_1 BIGINT NOT NULL,
    points_2 BIGINT NOT NULL,
    winner BIGINT, -- 1 or 2
    reason TEXT NOT NULL,
    started_ms BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL,
    record TEXT NOT NULL -- without the names of the players: they may change or be forgotten
);
CREATE INDEX games_public ON games (is_public, id);
CREATE INDEX games_game ON games (is_public, game, id);
CREATE INDEX games_table ON games (table_code);

CREATE TABLE game_players (
    game_id BIGINT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    side BIGINT NOT NULL,
    kind TEXT NOT NULL, -- account, guest, built-in, program
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    name TEXT, -- of an account none is kept: its nickname of today is shown
    PRIMARY KEY (game_id, side)
);
CREATE INDEX game_players_account ON game_players (account_id);
CREATE INDEX game_players_name ON game_players (name);
