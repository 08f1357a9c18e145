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
    drawing: OnceCell<Arc<Drawing>>,
}

impl TableLayout {
    pub(super) fn of(setup: &Setup) -> Arc<Self> {
        Arc::new(Self { setup: setup.clone(), drawing: OnceCell::new() })
    }

    async fn draw(&self, app: &App) -> Result<Arc<Drawing>, Refused> {
        let setup = self.setup.clone();
        let key = layout_key(&setup.game, if setup.is_usual { &setup.options } else { &setup.start });
        // Boards that the game brings are small; others are uploaded maps.
        let load = if setup.is_usual { Load::Light } else { Load::Heavy };
        let draw = move || Ok(board::layout(&setup.record()?.start().layout()));
        app.drawings.get(&app.rendering, load, &key, draw).await
    }
}

impl Handle {
    /// The layout of its board.
    pub(super) async fn layout(&self, app: &App) -> Result<Arc<Drawing>, Refused> {
        self.layout.drawing.get_or_try_init(|| self.layout.draw(app)).await.cloned()
    }
}
