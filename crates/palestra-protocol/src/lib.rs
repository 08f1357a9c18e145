//! What a bot and the referee say to each other.
