/// How good the position is for the side to move, when nobody looks further: the flags that it has captured, less the
/// other side's.
///
/// An idea for the first evening: the nearer a player is to a flag, the better. `position.hops(flag)` tells how many
/// steps each cell is away from a flag. A flag must remain worth more than any way.
fn evaluate(position: &Bandera) -> i32 {
    let [one, two] = position.points();
    if position.turn() == 1 { one - two } else { two - one }
}
