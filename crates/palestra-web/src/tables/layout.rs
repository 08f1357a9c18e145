//! The layout of a table's board: the positions of its cells.

use std::sync::Arc;

use tokio::sync::OnceCell;

use super::Handle;
use super::setup::Setup;
use crate::app::App;
use crate::board;
use crate::drawings::{Drawing, layout_key};
use crate::http::error::Refused;
use crate::rendering::Load;

/// The layout of a table's board, which is the same in all of its games. It is drawn when the table's page is first
/// asked for, and there as long as the table is.
pub(super) struct TableLayout {
    setup: Setup,
    drawn: OnceCell<DrawnLayout>,
}

/// A layout, and what a page must know of it.
#[derive(Clone)]
pub(super) struct DrawnLayout {
    pub(super) drawing: Arc<Drawing>,
    /// Whether it is much wider than high.
    pub(super) is_wide: bool,
}

/// The ratio of width to height from which a board is wide.
const WIDE_RATIO: f32 = 1.8;

impl TableLayout {
    pub(super) fn of(setup: &Setup) -> Arc<Self> {
        Arc::new(Self { setup: setup.clone(), drawn: OnceCell::new() })
    }

    async fn draw(&self, app: &App) -> Result<DrawnLayout, Refused> {
        let setup = self.setup.clone();
        let key = layout_key(&setup.game, if setup.is_usual { &setup.options } else { &setup.start });
        // Boards that the game brings are small; others are uploaded maps.
        let load = if setup.is_usual { Load::Light } else { Load::Heavy };
        let draw = move || Ok(board::layout(&setup.record()?.start().layout()));
        let drawing = app.drawings.get(&app.rendering, load, &key, draw).await?;
        let setup = self.setup.clone();
        let size = move || setup.record().map(|record| record.start().layout().size);
        let size = app.rendering.run(load, size).await??;
        Ok(DrawnLayout { drawing, is_wide: size.x > WIDE_RATIO * size.y })
    }

    /// The settings of the table.
    pub(super) const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The layout, drawn once.
    pub(super) async fn drawn(&self, app: &App) -> Result<DrawnLayout, Refused> {
        self.drawn.get_or_try_init(|| self.draw(app)).await.cloned()
    }
}

impl Handle {
    /// The settings of the table.
    pub(super) fn setup(&self) -> &Setup {
        self.layout.setup()
    }
}
