//! The games as the first page shows them: a board with a real position, a sentence, the rules in short.

use std::sync::Arc;

use palestra_games::{AnyGame, GAMES, GameKind};

use crate::app::App;
use crate::board;
use crate::board_tag::BoardTag;
use crate::drawings::{Drawing, layout_key};
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::rendering::Load;

/// Moves after which a position is shown.
const PLIES: usize = 16;

/// A game with a picture of its board.
pub(crate) struct Picture {
    pub(crate) kind: &'static GameKind,
    pub(crate) board: BoardTag,
    pub(crate) summary: String,
    /// The rules in short, a paragraph an entry.
    pub(crate) rules: Vec<String>,
}

/// All games, each in the middle of a game.
pub(crate) async fn pictures(app: &App, locale: Locale) -> Result<Vec<Picture>, Refused> {
    let mut pictures = vec![];
    for kind in GAMES {
        let picture = picture(app, kind, PLIES, locale).await?;
        pictures.push(Picture { board: picture.board.picture(), ..picture });
    }
    Ok(pictures)
}

/// A game before the first move.
pub(crate) async fn opening(app: &App, kind: &'static GameKind, locale: Locale) -> Result<Picture, Refused> {
    picture(app, kind, 0, locale).await
}

async fn picture(app: &App, kind: &'static GameKind, plies: usize, locale: Locale) -> Result<Picture, Refused> {
    let [layout, scene] = drawn(app, kind, plies).await?;
    let [summary, rules] = about(kind, locale);
    Ok(Picture {
        kind,
        board: BoardTag::new(kind.id(), layout.path(), locale).with_scene(scene.path()),
        summary,
        rules: rules.split('\n').map(str::to_owned).collect(),
    })
}

/// A game in a sentence, and its rules in short, a paragraph a line: in the language of the page, or as the game itself says it.
pub(crate) fn about(kind: &GameKind, locale: Locale) -> [String; 2] {
    let text = |part: &str| locale.find_text(&format!("about.{}.{part}", kind.id())).map(str::to_owned);
    let summary = text("summary").unwrap_or_else(|| kind.about.summary.to_owned());
    [summary, text("rules").unwrap_or_else(|| kind.about.rules.join("\n"))]
}

/// The layout, and the scene after a number of moves.
async fn drawn(app: &App, kind: &'static GameKind, plies: usize) -> Result<[Arc<Drawing>; 2], Refused> {
    let key = layout_key(kind.id(), usual_options(kind));
    let layout = app.drawings.get(&app.rendering, Load::Light, &key, move || Ok(board::layout(&start(kind)?.layout())));
    let layout = layout.await?;
    let draw = move || {
        let scene = played(kind, plies)?.scene(None).map_err(|_| Refused::Fault)?;
        Ok(board::scene(&scene))
    };
    let scene = app.drawings.get(&app.rendering, Load::Light, &format!("showcase {plies} {key}"), draw).await?;
    Ok([layout, scene])
}

fn usual_options(kind: &GameKind) -> &'static str {
    kind.about.options.first().map_or("-", |(word, _)| word)
}

fn start(kind: &GameKind) -> Result<Box<dyn AnyGame>, Refused> {
    (kind.start)(usual_options(kind)).map_err(|_| Refused::Fault)
}

/// A position that arises in a game, the same each time: moves are picked by a fixed stride, and none ends the game.
fn played(kind: &GameKind, plies: usize) -> Result<Box<dyn AnyGame>, Refused> {
    let mut game = start(kind)?;
    for ply in 0..plies {
        let moves = game.moves();
        let goes_on = |mv: &&String| {
            let mut child = game.boxed_clone();
            child.play(mv).is_ok() && child.outcome().is_none()
        };
        let first = (5 * ply + 3) % moves.len().max(1);
        let Some(mv) = moves[first..].iter().chain(&moves[..first]).find(goes_on).cloned() else { break };
        game.play(&mv).map_err(|_| Refused::Fault)?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_position_to_show_and_texts_in_every_language() {
        for kind in GAMES {
            let shown = played(kind, PLIES).unwrap();
            assert!(shown.outcome().is_none() && shown.notation() != start(kind).unwrap().notation(), "{}", kind.id());
            for &locale in Locale::ALL {
                for part in ["summary", "rules"] {
                    let key = format!("about.{}.{part}", kind.id());
                    assert_ne!(locale.t(&key), key);
                }
            }
        }
    }
}
