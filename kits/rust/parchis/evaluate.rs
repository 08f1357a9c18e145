/// How good the position is for the side to move, when nobody looks further: its pieces in the goal, less the other
/// side's.
///
/// An idea for the first evening: the other pieces count, too. `Parchis::distance` tells how far a piece has still to
/// go; and on safe squares nobody is eaten.
fn evaluate(position: &Parchis) -> i32 {
    let [one, two] = position.points();
    if position.turn() == 1 { one - two } else { two - one }
}
