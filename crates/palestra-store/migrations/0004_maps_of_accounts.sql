-- What was the name of a map, and its address, is its address from now on. A name is the owner's business: two accounts may have
-- maps of one name. Maps that are there already were uploaded for everyone, and stay so.
ALTER TABLE maps RENAME COLUMN name TO address;
ALTER TABLE maps ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE maps ADD COLUMN visibility TEXT NOT NULL DEFAULT 'private'; -- private, link, public
UPDATE maps SET name = address, visibility = 'public';
-- /maps/new is the page for a new map. No name could have the sign _.
UPDATE maps SET address = 'new_' WHERE address = 'new';
CREATE UNIQUE INDEX maps_name ON maps (account_id, name);
CREATE INDEX maps_visibility ON maps (visibility, name);
