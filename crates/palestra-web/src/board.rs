//! Boards for browsers: layouts, scenes and steps as JSON, and the texts of their labels.
//!
//! `assets/board.js` draws them; it knows no game. A label is an array of its key and arguments; the page holds the
//! texts.

use std::collections::BTreeMap;

use palestra_games::GameKind;
use palestra_games::draw::{Layout, Scene, Step, Wording};
use serde::Serialize;
use serde_json::{Value, json};

use crate::locale::Locale;
use crate::{assets, looks};

/// The layout of a board: the positions of its cells.
pub(crate) fn layout(layout: &Layout) -> Value {
    as_json(layout)
}

/// The scene on a board: its pieces, and what can be clicked.
pub(crate) fn scene(scene: &Scene) -> Value {
    as_json(scene)
}

/// The steps from one scene to the next.
pub(crate) fn steps(steps: &[Step]) -> Value {
    as_json(steps)
}

/// The address of the shapes of a game's pieces, for the attribute `data-look`.
pub(crate) fn look_address(game: &str) -> String {
    assets::address(&looks::file_name(game))
}

fn as_json(drawn: &(impl Serialize + ?Sized)) -> Value {
    serde_json::to_value(drawn).expect("every name in a drawing is a text")
}

/// The texts of a game's labels in a language, for the attribute of a `<palestra-board>`: key to text, where `{1}` is
/// the first argument, and `{1:colour}` the text for `colour` and that argument.
pub(crate) fn texts(game: &str, locale: Locale) -> String {
    let labels = GameKind::find(game).map_or(&[][..], |kind| kind.labels);
    let own = labels.iter().map(|wording| (wording.key, text(wording, locale)));
    let common = [
        ("board", locale.t("board.board")),
        ("counters", locale.t("board.counters")),
        ("controls", locale.t("board.controls")),
        ("closer", locale.t("board.closer")),
        ("further", locale.t("board.further")),
        ("whole", locale.t("board.whole")),
    ];
    json!(own.chain(common).collect::<BTreeMap<_, _>>()).to_string()
}

const fn text(wording: &Wording, locale: Locale) -> &'static str {
    match locale {
        Locale::English => wording.english,
        Locale::Spanish => wording.spanish,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use palestra_games::AnyGame;

    use super::*;

    /// Positions of all games, under all of their options, played with moves that are anything but chosen; each with
    /// its layout and the move that follows.
    fn walk(mut visit: impl FnMut(&dyn AnyGame, &Value, Option<&str>)) {
        for kind in GameKind::all() {
            let words = kind.about.options.iter().map(|(word, _)| *word);
            for (number, options) in words.chain(["-"]).enumerate() {
                let mut game = (kind.start)(options).unwrap();
                let layout = layout(&game.layout());
                let mut seed = 7 + number;
                for _ in 0..200 {
                    let moves = game.moves();
                    let Some(mv) = moves.get(seed % moves.len().max(1)).filter(|_| game.outcome().is_none()) else {
                        break;
                    };
                    visit(&*game, &layout, Some(mv));
                    game.play(mv).unwrap();
                    seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) >> 3;
                }
                visit(&*game, &layout, None);
            }
        }
    }

    /// TypeScript's compiler reads the data of all games as the types that the scripts have of it: a name that is missing, or
    /// one that no type has, is an error.
    #[test]
    fn boards_of_all_games_have_the_types_that_the_scripts_read() {
        // Node's packages are there where `test.sh` has installed them.
        let Some(modules) = std::env::var_os("PALESTRA_NODE_MODULES").map(PathBuf::from) else { return };
        let mut samples = "import type { Layout, Look, Scene, Step } from \"./drawing\";\n".to_owned();
        let mut add = |kind: &str, json: &str| {
            let number = samples.len();
            writeln!(samples, "export const sample{number}: {kind} = {json};").unwrap();
        };
        for (_, look) in looks::SHAPES.iter() {
            add("Look", look);
        }
        let (mut plies, mut seen) = (0, BTreeSet::new());
        walk(|game, layout, mv| {
            if seen.insert(game.kind().id()) {
                add("Layout", &layout.to_string());
            }
            plies += 1;
            if plies % 20 == 0 || mv.is_none() {
                add("Scene", &scene(&game.scene(None).unwrap()).to_string());
                mv.iter().for_each(|mv| add("Step[]", &steps(&game.steps(mv).unwrap()).to_string()));
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        for types in ["drawing.d.ts", "types.d.ts"] {
            std::fs::copy(assets.join(types), folder.path().join(types)).unwrap();
        }
        std::fs::write(folder.path().join("samples.ts"), samples).unwrap();
        let mut tsc = Command::new(modules.join(".bin/tsc"));
        tsc.args(["--strict", "--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "samples.ts"]);
        let output = tsc.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// What a game sends has exactly the names that `assets/board.js` reads.
    #[test]
    fn the_names_in_the_json_are_those_that_the_scripts_read() {
        let names = |value: &Value| -> String {
            let names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
            names.join(" ")
        };
        let game = (GameKind::find("bandera").unwrap().start)("-").unwrap();
        let (layout, scene) = (layout(&game.layout()), scene(&game.scene(None).unwrap()));
        assert_eq!(names(&layout), "areas cells size turns");
        assert_eq!(names(&layout["cells"][0]), "arrows ghosts id kind label lane polygon tag");
        assert_eq!(names(&layout["cells"][0]["arrows"]), "down left right up");
        assert_eq!(layout["cells"][0]["polygon"][0], json!([0.5, 0.0]));
        assert_eq!(names(&scene), "choices controls counters end last line pieces");
        assert_eq!(names(&scene["pieces"][0]), "cell id kind label owner symbol");
        assert_eq!(names(&scene["counters"][0]), "cell id kind label max owner piece value");
        assert_eq!(names(&scene["choices"][0]), "clicks preview text");
        let player = &scene["pieces"].as_array().unwrap().iter().find(|piece| piece["id"] == "p1").unwrap();
        assert_eq!((&player["owner"], &player["label"]), (&json!(0), &json!(["player", "1"])));
    }

    #[test]
    fn a_step_says_what_it_is() {
        let step = |game: &str, position: &str, mv: &str| {
            steps(&(GameKind::find(game).unwrap().parse)(position).unwrap().steps(mv).unwrap())[0].clone()
        };
        let sown = step("mancala", "1:0,4,4,4,4,4,4/0,4,4,4,4,4,4", "1");
        assert_eq!(sown, json!({"beat": 0, "is": "count", "counter": "seeds-pit1-1", "value": 0}));
        let dropped = step("conecta4boom", "1:7/7/7/7/7/7/7", "4");
        let piece = &dropped["piece"];
        assert_eq!((&dropped["is"], &piece["cell"], &piece["owner"]), (&json!("add"), &json!("c4r1"), &json!(0)));
        let blown = step("conecta4boom", "13:7/7/7/7/x4o1/oxXo1x1/oxxo1o1", "boom");
        assert_eq!((&blown["is"], &blown["how"]), (&json!("remove"), &json!("blown")));
        let is_whole = |name: &str| blown[name].is_string();
        assert!(is_whole("piece") && blown["beat"] == 0);
    }

    #[test]
    fn what_is_sent_to_a_browser_hangs_together() {
        walk(|game, layout, mv| {
            let (id, scene) = (game.kind().id(), scene(&game.scene(None).unwrap()));
            let ids = |list: &Value| -> BTreeSet<String> {
                list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
            };
            let cells = ids(&layout["cells"]);
            assert!(
                scene["pieces"].as_array().unwrap().iter().all(|piece| cells.contains(piece["cell"].as_str().unwrap()))
            );
            let clickable: BTreeSet<String> =
                cells.iter().cloned().chain(ids(&scene["pieces"])).chain(ids(&scene["controls"])).collect();
            let choices = scene["choices"].as_array().unwrap();
            assert_eq!(choices.len(), if mv.is_some() { game.moves().len() } else { choices.len() }, "{id}");
            for click in choices.iter().flat_map(|choice| choice["clicks"].as_array().unwrap()) {
                assert!(clickable.contains(click.as_str().unwrap()), "{id}: {click} cannot be clicked");
            }
            for arrow in
                layout["cells"].as_array().unwrap().iter().flat_map(|cell| cell["arrows"].as_object().unwrap().values())
            {
                assert!(arrow.is_null() || cells.contains(arrow.as_str().unwrap()), "{id}: no cell {arrow}");
            }
        });
    }
}
