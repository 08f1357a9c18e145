/// How good the position is for the side to move, when nobody looks further: the fewer pieces it has on the board the
/// better, for four in a line lose.
///
/// An idea for the first evening: look at all lines of four cells. Those where only one side has pieces are its danger;
/// the more pieces it has there, the worse.
fn evaluate(position: &Desconecta4Boom) -> i32 {
    let [own, opponent] = [position.turn(), other(position.turn())].map(|player| position.pieces(player));
    opponent.count_ones() as i32 - own.count_ones() as i32
}
