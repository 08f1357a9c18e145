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
use book::{Book, Shot};
use text::{Block, Entry, Figure, Section, Text};

#[derive(Template)]
#[template(path = "rules_list.html")]
struct RulesList {
    frame: Frame,
    pictures: Vec<Picture>,
    players: &'static [Section],
}

/// All games.
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
    /// The address of the films of all examples.
    films: String,
    /// The examples with the address of their layout.
    examples: Vec<(&'static Shot, Arc<Drawing>)>,
}

impl Written {
    async fn of(app: &App, book: &'static Book, frame: &Frame) -> Result<Self, Refused> {
        let key = format!("films {}", book.kind.id());
        let films = app.drawings.get(&app.rendering, Load::Heavy, &key, || book.films()).await?;
        let mut examples = vec![];
        for shot in book.shots() {
            let draw = || {
                let example = book.example(shot.name).ok_or(Refused::Fault)?;
                Ok(board::layout(&example.position()?.layout()))
            };
            let layout = app.drawings.get(&app.rendering, Load::Light, &shot.layout_key, draw).await?;
            examples.push((shot, layout));
        }
        Ok(Self { text: book.text(frame.locale), films: films.path(), examples })
    }
}

impl RulesPage {
    fn sections(&self) -> &[Section] {
        self.written.as_ref().map_or(&[], |written| &written.text.sections)
    }

    fn example(&self, name: &str) -> Option<&(&'static Shot, Arc<Drawing>)> {
        self.written.as_ref()?.examples.iter().find(|(shot, _)| shot.name == name)
    }

    /// The example of a figure.
    fn shot(&self, figure: &Figure) -> Option<&'static Shot> {
        self.example(&figure.example).map(|(shot, _)| *shot)
    }

    /// The board of an example; the texts name what it shows.
    fn board(&self, name: &str, view: Option<&String>, label: &str) -> Option<BoardTag> {
        let (_, layout) = self.example(name)?;
        let board =
            BoardTag::new(self.kind.id(), layout.path(), self.frame.locale).picture().named(self.frame.t(label));
        Some(view.into_iter().fold(board, |board, view| board.part(view)))
    }

    fn shown(&self, shot: &Shot, label: &str) -> Option<BoardTag> {
        self.board(shot.name, shot.view.as_ref(), label)
    }

    /// The picture of a single cell, and the number of the film that it is from.
    fn cell(&self, example: &str, cell: &str) -> Option<(usize, BoardTag)> {
        let (shot, _) = self.example(example)?;
        Some((shot.film, self.board(example, shot.cells.get(cell), "rules.cell")?))
    }
}

/// The rules of a game.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(game): Path<String>,
) -> Result<Response, Refused> {
    let kind = GameKind::find(&game).ok_or(Refused::NotFound)?;
    let frame = Frame::new(&visitor);
    let written = match Book::find(kind.id()) {
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
