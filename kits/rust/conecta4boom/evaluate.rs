/// How good the position is for the side to move, when nobody looks further: its pieces, the more the nearer they are
/// to the middle column, less the other side's.
///
/// An idea for the first evening: look at all lines of four cells. Those where only one side has pieces can still
/// become its own; the more pieces it has there, the better.
fn evaluate(position: &Conecta4Boom) -> i32 {
    let [own, opponent] = [position.turn(), other(position.turn())].map(|player| position.pieces(player));
    let mut value = 0;
    for column in 0..7 {
        let worth = 4 - (column - 3_i32).abs();
        let cells = 0x7f << (8 * column);
        value += worth * ((own & cells).count_ones() as i32 - (opponent & cells).count_ones() as i32);
    }
    value
}
