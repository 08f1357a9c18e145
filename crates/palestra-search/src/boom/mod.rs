//! Conecta-4 Boom and Desconecta-4 Boom: evaluations and players.

mod test;

pub use test::Test;
