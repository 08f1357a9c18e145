-- Why a run is paused or was given up stood where it says why a teacher started it, which was lost then.
ALTER TABLE runs ADD COLUMN stop_reason TEXT; -- why it is paused or was given up
UPDATE runs SET stop_reason = reason, reason = NULL WHERE state IN ('paused', 'given up');
