//! The pages that teach the games: rules with examples, and the built-in players.

mod book;
mod example;
pub(crate) mod players;
mod strength;
mod text;

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_games::{GAMES, GameKind};
use palestra_search::any_players;
use palestra_search::player::GRADE_NAMES;

use crate::app::App;
use crate::board;
use crate::board_tag::BoardTag;
use crate::drawings::Drawing;
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::rendering::Load;
use crate::showcase::{Picture, about, pictures};
use crate::visitor::Visitor;
use book::{ExampleView, Rulebook};
use text::{Block, Entry, Figure, Section, Text};

#[derive(Template)]
#[template(path = "rules_list.html")]
struct RulesList {
    frame: Frame,
    pictures: Vec<Picture>,
    players: &'static [Section],
}

/// The page with all games and players.
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    let frame = Frame::new(&visitor);
    page(&RulesList { pictures: pictures(&app, frame.locale).await?, players: players::list(frame.locale), frame })
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage {
    frame: Frame,
    kind: &'static GameKind,
    summary: String,
    /// The opponent for a first game, if the game has built-in players.
    opponent: Option<&'static str>,
    players: &'static [Section],
    /// The rules with examples.
    written: Option<Written>,
    /// The rules in short, for a game of which no others are written.
    short: Vec<String>,
}

/// Rules with examples, ready to be shown.
struct Written {
    text: &'static Text,
    /// The address of the replays of all examples, as JSON.
    replays: String,
    /// The examples with the address of their layout.
    examples: Vec<(&'static ExampleView, Arc<Drawing>)>,
}

impl Written {
    async fn of(app: &App, book: &'static Rulebook, frame: &Frame) -> Result<Self, Refused> {
        let key = format!("replays {}", book.kind.id());
        let replays = app.drawings.get(&app.rendering, Load::Heavy, &key, || book.replays()).await?;
        let mut examples = vec![];
        for view in book.views() {
            let draw = || {
                let example = book.example(view.name).ok_or(Refused::Fault)?;
                Ok(board::layout(&example.position()?.layout()))
            };
            let layout = app.drawings.get(&app.rendering, Load::Light, &view.layout_key, draw).await?;
            examples.push((view, layout));
        }
        Ok(Self { text: book.text(frame.locale), replays: replays.path(), examples })
    }
}

impl RulesPage {
    fn sections(&self) -> &[Section] {
        self.written.as_ref().map_or(&[], |written| &written.text.sections)
    }

    fn example(&self, name: &str) -> Option<&(&'static ExampleView, Arc<Drawing>)> {
        self.written.as_ref()?.examples.iter().find(|(view, _)| view.name == name)
    }

    /// The example of a figure.
    fn view(&self, figure: &Figure) -> Option<&'static ExampleView> {
        self.example(&figure.example).map(|(view, _)| *view)
    }

    /// The board of an example, all of it or a part, with a label for screen readers.
    fn board(&self, name: &str, part: Option<&String>, label: &str) -> Option<BoardTag> {
        let (_, layout) = self.example(name)?;
        let board =
            BoardTag::new(self.kind.id(), layout.path(), self.frame.locale).picture().named(self.frame.t(label));
        Some(part.into_iter().fold(board, |board, part| board.part(part)))
    }

    fn shown(&self, view: &ExampleView, label: &str) -> Option<BoardTag> {
        self.board(view.name, view.part.as_ref(), label)
    }

    /// The picture of a single cell, and the index of the replay whose scene it shows.
    fn cell(&self, example: &str, cell: &str) -> Option<(usize, BoardTag)> {
        let (view, _) = self.example(example)?;
        Some((view.replay, self.board(example, view.cells.get(cell), "rules.cell")?))
    }
}

/// The page with the rules of a game.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(game): Path<String>,
) -> Result<Response, Refused> {
    let kind = GameKind::find(&game).ok_or(Refused::NotFound)?;
    let frame = Frame::new(&visitor);
    let written = match Rulebook::find(kind.id()) {
        Some(book) => Some(Written::of(&app, book, &frame).await?),
        None => None,
    };
    let [summary, rules] = about(kind, frame.locale);
    page(&RulesPage {
        kind,
        summary,
        opponent: any_players(kind.id()).is_ok().then_some(GRADE_NAMES[0]),
        players: players::list(frame.locale),
        written,
        short: rules.split('\n').map(str::to_owned).collect(),
        frame,
    })
}
