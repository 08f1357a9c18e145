-- Why the state of a table cannot be read. Such a table is kept, but not reopened when the server starts.
ALTER TABLE tables ADD COLUMN unreadable TEXT;
