-- Columns by which rows are deleted or looked up together with an account.
CREATE INDEX links_account ON links (account_id);
CREATE INDEX maps_account ON maps (account_id);
CREATE INDEX registrations_email ON registrations (email);
