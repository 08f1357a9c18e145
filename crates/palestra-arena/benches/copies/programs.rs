//! Programs to be compared.

use std::fmt::Write;

use palestra_games::rng::Rng;

/// Statements of programs; `#` stands for an expression.
const STATEMENTS: [&str; 12] = [
    "int n = #;",
    "if (#) return #;",
    "for (int i = #; i < #; i++) total += #;",
    "while (#) { n = queue.front(); queue.pop(); }",
    "best = max(best, #);",
    "const auto next = position.after(#);",
    "n = # ? # : #;",
    "switch (n) { case 1: n += #; break; default: n = #; }",
    "values[#][n] = #;",
    "if (alpha >= beta || #) break;",
    "std::cerr << \"value \" << # << ' ' << n << '\\n';",
    "table.emplace(#, Entry{depth, #});",
];

/// Expressions; `@` stands for another one.
const EXPRESSIONS: [&str; 12] =
    ["a", "7", "x.y", "@ + @", "@ * @", "(@ - @)", "!@", "@ == @", "f(@)", "g(@, @)", "v[@]", "@ && @"];

fn expression(rng: &mut Rng, depth: usize) -> String {
    let choice = rng.below(if depth == 0 { 3 } else { EXPRESSIONS.len() });
    EXPRESSIONS[choice].replace('@', &if choice < 3 { String::new() } else { expression(rng, depth - 1) })
}

/// A program with this number of lines.
fn program(rng: &mut Rng, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        let statement = STATEMENTS[rng.below(STATEMENTS.len())].replace('#', &expression(rng, 4));
        let head = if line % 20 == 0 { format!("}}\nint function{line}(int a, int b) {{\n") } else { String::new() };
        writeln!(text, "{head}    {statement}").expect("a string takes all");
    }
    text
}

/// Programs with this number of lines. Each tenth one has the first half of the one before, too.
pub(crate) fn programs(count: usize, lines: usize) -> Vec<String> {
    let mut rng = Rng::new(1);
    let mut texts: Vec<String> = (0..count).map(|_| program(&mut rng, lines)).collect();
    for at in (9..count).step_by(10) {
        let half = texts[at - 1].len() / 2;
        texts[at] = format!("{}\n{}", &texts[at - 1][..half], texts[at]);
    }
    texts
}
