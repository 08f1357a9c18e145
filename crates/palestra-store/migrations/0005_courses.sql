-- Courses with their groups and members, bots, jobs, leagues, hand-ins and marks.

-- Files by the SHA-256 of their content, so that equal files are kept once.
CREATE TABLE blobs (
    hash TEXT PRIMARY KEY,
    bytes BYTEA NOT NULL,
    created_ms BIGINT NOT NULL
);

CREATE TABLE courses (
    id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE, -- its address
    name TEXT NOT NULL,
    year TEXT NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    time_rule TEXT NOT NULL, -- cpu 2000, wall 2000, depth 8, states 140000
    domains TEXT NOT NULL, -- mail domains whose members need not wait, with a blank between them
    time_zone TEXT NOT NULL, -- of the IANA database
    ends_ms BIGINT NOT NULL, -- then sources, hand-ins and the roster are deleted
    keeps_fingerprints BOOLEAN NOT NULL,
    warned_ms BIGINT, -- when the teachers were last told of the end
    purged_ms BIGINT,
    created_ms BIGINT NOT NULL
);
CREATE TABLE course_teachers (
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    PRIMARY KEY (course_id, account_id)
);
CREATE INDEX course_teachers_account ON course_teachers (account_id);

CREATE TABLE course_groups (
    id BIGINT PRIMARY KEY,
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    code TEXT NOT NULL, -- such as A1
    name TEXT NOT NULL, -- degree and campus
    join_code TEXT UNIQUE, -- none if the group is closed
    created_ms BIGINT NOT NULL,
    UNIQUE (course_id, code)
);

-- One student, or two who work together: what is entered, handed in and marked is the team's.
CREATE TABLE course_teams (
    id BIGINT PRIMARY KEY,
    group_id BIGINT NOT NULL REFERENCES course_groups (id) ON DELETE CASCADE,
    wanted_group_id BIGINT REFERENCES course_groups (id) ON DELETE SET NULL, -- where they ask to be moved
    created_ms BIGINT NOT NULL
);
CREATE INDEX course_teams_group ON course_teams (group_id);

CREATE TABLE course_members (
    id BIGINT PRIMARY KEY,
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    team_id BIGINT NOT NULL REFERENCES course_teams (id) ON DELETE CASCADE,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    state TEXT NOT NULL, -- pending: on the roster, without an account; waiting: for the teacher; member; withdrawn
    email TEXT, -- in lower case; of the roster
    name TEXT, -- of the roster
    id_number TEXT,
    withdrawn BIGINT, -- the number under which the results of a withdrawn member stand
    created_ms BIGINT NOT NULL,
    UNIQUE (course_id, account_id),
    UNIQUE (course_id, email)
);
CREATE INDEX course_members_team ON course_members (team_id);
CREATE INDEX course_members_account ON course_members (account_id);
CREATE INDEX course_members_email ON course_members (email);

CREATE TABLE notices (
    id BIGINT PRIMARY KEY,
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    group_id BIGINT REFERENCES course_groups (id) ON DELETE CASCADE, -- none: the whole course
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    text TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX notices_course ON notices (course_id, id);

-- Mails that a person has chosen not to get.
CREATE TABLE unwanted_mails (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    PRIMARY KEY (account_id, kind)
);

CREATE TABLE bots (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE, -- in lower case. A row stays for ever: no name is given to another owner
    game TEXT NOT NULL,
    language TEXT NOT NULL,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    course_id BIGINT REFERENCES courses (id) ON DELETE SET NULL, -- the course in which it was entered
    house TEXT, -- a teacher's: playable, hidden; none for all others
    active_version_id BIGINT,
    withdrawn BIGINT, -- the number under which its results stand when its owner is gone
    created_ms BIGINT NOT NULL
);
CREATE INDEX bots_account ON bots (account_id);
CREATE INDEX bots_course ON bots (course_id);

CREATE TABLE bot_versions (
    id BIGINT PRIMARY KEY,
    bot_id BIGINT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL, -- who uploaded it
    note TEXT NOT NULL,
    source_hash TEXT NOT NULL, -- of all files with their names
    size_bytes BIGINT NOT NULL,
    state TEXT NOT NULL, -- waiting, compiling, checking, playing, ready, refused
    report TEXT NOT NULL, -- steps, findings, the compiler's message: JSON
    compiler TEXT, -- with its version
    flags TEXT,
    created_ms BIGINT NOT NULL,
    UNIQUE (bot_id, number)
);
CREATE TABLE bot_files (
    version_id BIGINT NOT NULL REFERENCES bot_versions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (version_id, name)
);
CREATE INDEX bot_files_hash ON bot_files (hash);

-- Version N against version M of a bot.
CREATE TABLE comparisons (
    id BIGINT PRIMARY KEY,
    version_id BIGINT NOT NULL REFERENCES bot_versions (id) ON DELETE CASCADE,
    other_id BIGINT NOT NULL REFERENCES bot_versions (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    state TEXT NOT NULL, -- waiting, playing, finished, failed
    report TEXT NOT NULL, -- wins, draws, losses, verdict: JSON
    created_ms BIGINT NOT NULL
);
CREATE INDEX comparisons_version ON comparisons (version_id);
CREATE INDEX comparisons_account ON comparisons (account_id);

-- The bot with which a team takes part; the newest row counts.
CREATE TABLE entries (
    id BIGINT PRIMARY KEY,
    team_id BIGINT NOT NULL REFERENCES course_teams (id) ON DELETE CASCADE,
    bot_id BIGINT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL, -- who chose it
    reason TEXT, -- of a teacher who changed it
    created_ms BIGINT NOT NULL
);
CREATE INDEX entries_team ON entries (team_id, id);
CREATE INDEX entries_bot ON entries (bot_id);

CREATE TABLE leagues (
    id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE, -- its address
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    group_id BIGINT REFERENCES course_groups (id) ON DELETE CASCADE, -- none: all groups
    name TEXT NOT NULL,
    schedule TEXT NOT NULL, -- JSON
    ranking TEXT NOT NULL, -- criteria, the first first: points,timeouts,...
    move_ms BIGINT NOT NULL, -- time a turn, by the course's time rule
    rounds BIGINT NOT NULL,
    is_published BOOLEAN NOT NULL,
    hidden_from_ms BIGINT, -- from then on members see no standings until the final run is published
    is_open BOOLEAN NOT NULL, -- whether runs are scheduled
    due_ms BIGINT, -- when the next run is to start
    created_ms BIGINT NOT NULL
);
CREATE INDEX leagues_course ON leagues (course_id);
CREATE INDEX leagues_due ON leagues (due_ms);

-- House bots that play in a league outside the ranking.
CREATE TABLE league_guests (
    league_id BIGINT NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
    bot_id BIGINT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    PRIMARY KEY (league_id, bot_id)
);
CREATE INDEX league_guests_bot ON league_guests (bot_id);

CREATE TABLE assignments (
    id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE, -- its address
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    due_ms BIGINT NOT NULL, -- the end of the minute
    page_limit BIGINT NOT NULL,
    rubric TEXT NOT NULL, -- the name of a bundled rubric, or TOML
    league_id BIGINT REFERENCES leagues (id) ON DELETE SET NULL, -- the league whose run counts
    counted_run_id BIGINT, -- which run of it; none: the last one that is finished
    marking_id BIGINT, -- the run of kind marking whose marks count
    published_ms BIGINT, -- since when students see their marks
    reminded_ms BIGINT, -- when the members were told that it is due tomorrow
    created_ms BIGINT NOT NULL
);
CREATE INDEX assignments_course ON assignments (course_id);

CREATE TABLE hand_ins (
    id BIGINT PRIMARY KEY,
    assignment_id BIGINT NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
    team_id BIGINT NOT NULL REFERENCES course_teams (id) ON DELETE CASCADE,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL, -- the member who handed it in
    archive_hash TEXT NOT NULL, -- the ZIP as it came: a blob
    memo_name TEXT, -- of the PDF in it
    memo_pages BIGINT, -- none if they could not be counted
    remarks TEXT NOT NULL, -- what the server has to say about it: JSON
    is_late BOOLEAN NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX hand_ins_assignment ON hand_ins (assignment_id, team_id);
CREATE INDEX hand_ins_archive ON hand_ins (archive_hash);

-- Games between players that are frozen at the start: a run of a league, or the games from which marks are computed.
CREATE TABLE runs (
    id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE, -- its address
    kind TEXT NOT NULL, -- league, marking, trial
    league_id BIGINT REFERENCES leagues (id) ON DELETE CASCADE,
    assignment_id BIGINT REFERENCES assignments (id) ON DELETE CASCADE,
    team_id BIGINT REFERENCES course_teams (id) ON DELETE CASCADE, -- of a trial
    number BIGINT NOT NULL, -- in its league or assignment, from 1
    due_ms BIGINT NOT NULL, -- the moment for which it was scheduled
    state TEXT NOT NULL, -- playing, paused, finished, given up
    is_counted BOOLEAN NOT NULL, -- counts for marks
    is_final BOOLEAN NOT NULL,
    is_published BOOLEAN NOT NULL, -- of a final run: whether hidden standings are shown again
    plan TEXT NOT NULL, -- who meets whom: JSON
    settings TEXT NOT NULL, -- game, options, rules, seed, version of Palestra, slots, machine: JSON
    reason TEXT, -- why a teacher started it, or why it was paused or given up
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL, -- the teacher who started it
    started_ms BIGINT NOT NULL,
    ended_ms BIGINT
);
CREATE UNIQUE INDEX runs_league ON runs (league_id, number);
CREATE UNIQUE INDEX runs_league_due ON runs (league_id, due_ms);
CREATE INDEX runs_assignment ON runs (assignment_id, number);
CREATE INDEX runs_team ON runs (team_id, started_ms);
CREATE INDEX runs_state ON runs (state);

CREATE TABLE run_players (
    run_id BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    player BIGINT NOT NULL, -- from 0
    name TEXT NOT NULL,
    built_in TEXT, -- the name of a built-in player
    bot_id BIGINT REFERENCES bots (id) ON DELETE SET NULL,
    version_id BIGINT REFERENCES bot_versions (id) ON DELETE SET NULL,
    version BIGINT,
    source_hash TEXT,
    compiler TEXT,
    flags TEXT,
    team_id BIGINT REFERENCES course_teams (id) ON DELETE SET NULL,
    group_code TEXT,
    is_ranked BOOLEAN NOT NULL,
    PRIMARY KEY (run_id, player)
);
CREATE INDEX run_players_bot ON run_players (bot_id);
CREATE INDEX run_players_version ON run_players (version_id);
CREATE INDEX run_players_team ON run_players (team_id);

-- Finished games of runs. Each game of a plan has one that counts; the others were declared void by a teacher.
CREATE TABLE run_games (
    id BIGINT PRIMARY KEY,
    run_id BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number BIGINT NOT NULL, -- of the plan, from 0
    player_1 BIGINT NOT NULL,
    player_2 BIGINT NOT NULL,
    game_code TEXT NOT NULL, -- of its row in games
    points_1 BIGINT NOT NULL,
    points_2 BIGINT NOT NULL,
    winner BIGINT, -- 1 or 2
    charged_1_us BIGINT NOT NULL,
    charged_2_us BIGINT NOT NULL,
    forfeit TEXT,
    plies BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL,
    voided_ms BIGINT,
    void_reason TEXT,
    void_account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX run_games_counted ON run_games (run_id, number) WHERE voided_ms IS NULL;
CREATE INDEX run_games_code ON run_games (game_code);

-- What programs thought and wrote during a game, for their owners.
CREATE TABLE game_traces (
    game_code TEXT PRIMARY KEY,
    run_id BIGINT REFERENCES runs (id) ON DELETE CASCADE,
    thoughts TEXT NOT NULL, -- JSON
    stderr_1 TEXT NOT NULL,
    stderr_2 TEXT NOT NULL,
    fault TEXT -- the report of a forfeit
);
CREATE INDEX game_traces_run ON game_traces (run_id);

-- What a teacher enters or decides about a team's mark. The newest row of each part counts; all are kept.
CREATE TABLE mark_entries (
    id BIGINT PRIMARY KEY,
    assignment_id BIGINT NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
    team_id BIGINT NOT NULL REFERENCES course_teams (id) ON DELETE CASCADE,
    part TEXT NOT NULL, -- memo and the other parts that are entered, total, copy
    hundredths BIGINT, -- none: what was entered before no longer counts
    reason TEXT NOT NULL,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX mark_entries_assignment ON mark_entries (assignment_id, team_id, id);

-- Sources that a teacher has added to the report on copies: foreign ones to compare with, or code that was given to all.
CREATE TABLE added_sources (
    id BIGINT PRIMARY KEY,
    course_id BIGINT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    archive_hash TEXT NOT NULL, -- the ZIP as it came: a blob
    is_given BOOLEAN NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX added_sources_course ON added_sources (course_id);
CREATE INDEX added_sources_archive ON added_sources (archive_hash);

-- Fingerprints of sources, for the report on copies. They outlive the sources if the course says so.
CREATE TABLE fingerprints (
    id BIGINT PRIMARY KEY,
    course_id BIGINT REFERENCES courses (id) ON DELETE SET NULL,
    version_id BIGINT REFERENCES bot_versions (id) ON DELETE SET NULL,
    game TEXT NOT NULL,
    year TEXT NOT NULL,
    label TEXT NOT NULL, -- the bot's name, withdrawn N, a group and an assignment, or the name of foreign sources
    is_foreign BOOLEAN NOT NULL, -- added by a teacher
    hashes BYTEA NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX fingerprints_course ON fingerprints (course_id);
CREATE INDEX fingerprints_game ON fingerprints (game);

-- Work for any process that is free. A job is leased, may be done twice, and counts once.
CREATE TABLE jobs (
    id BIGINT PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE, -- what it is about, such as "version 17"; a second job about it is the same one
    kind TEXT NOT NULL, -- build, game, compare
    body TEXT NOT NULL, -- JSON
    priority BIGINT NOT NULL, -- the smaller one goes first
    lane BIGINT NOT NULL, -- jobs of one priority go by turns from lane to lane
    turn BIGINT NOT NULL, -- its place in its lane
    state TEXT NOT NULL, -- waiting, leased, failed; a job that is done is deleted
    attempts BIGINT NOT NULL,
    lease TEXT,
    leased_until_ms BIGINT,
    reason TEXT, -- why it failed last
    created_ms BIGINT NOT NULL
);
CREATE INDEX jobs_order ON jobs (state, priority, lane, turn, id);
