//! Entry points for a program without an async runtime: each runs one of its own and blocks the calling thread. None is
//! generic, so that the server is compiled in this crate and not again in the program.

use std::io::{self, Write};

use tokio::runtime::{Builder, Runtime};
use tokio::signal;

use crate::api::courses::ListedCourse;
use crate::assignments::Marks;
use crate::config::Config;
use crate::demo::{self, Demo, DemoError, DemoNews};
use crate::leagues::api::ListedRun;
use crate::offline::{self, LeagueOrder, LeagueProgress, OfflineError, RunEnd};
use crate::server::{Server, StartError};
use crate::setup::{AdminError, NewAdmin};

/// Serves until Ctrl-C or SIGTERM. `on_start` is called when the server listens. `on_interrupt` is called by a Ctrl-C while
/// the server finishes what is under way.
pub fn serve(config: Config, on_start: &mut dyn FnMut(&Server), on_interrupt: fn()) -> Result<(), StartError> {
    runtime()?.block_on(async {
        // Before the address is known: a signal may follow at once.
        let signals = Signals::listen().map_err(StartError::Runtime)?;
        let server = Server::start(config).await?;
        on_start(&server);
        server.run(signals.stop(on_interrupt)).await.map_err(StartError::Runtime)
    })
}

/// Makes an admin, see [`crate::create_admin`].
pub fn create_admin(config: &Config, new: NewAdmin) -> Result<(), AdminError> {
    runtime()?.block_on(crate::create_admin(config, new))
}

/// The courses in the data of a server, the latest first. The server may run meanwhile.
pub fn courses(config: &Config) -> Result<Vec<ListedCourse>, OfflineError> {
    runtime()?.block_on(offline::courses(config))
}

/// Writes all that a course holds, as a zip. The server may run meanwhile.
pub fn archive_course(config: &Config, code: &str, file: &mut dyn Write) -> Result<(), OfflineError> {
    offline::archive_course(&runtime()?, config, code, file)
}

/// The marks in the data of a server. The server may run meanwhile.
pub fn marks(config: &Config, assignment: &str) -> Result<Marks, OfflineError> {
    runtime()?.block_on(offline::marks(config, assignment))
}

/// Plays a run of a league to its end, unless Ctrl-C or SIGTERM comes first. No server may use the data meanwhile.
pub fn run_league(
    config: &Config,
    order: &LeagueOrder,
    on_progress: &mut dyn FnMut(&LeagueProgress),
) -> Result<(ListedRun, RunEnd), OfflineError> {
    runtime()?.block_on(async {
        let mut signals = Signals::listen().map_err(StartError::Runtime)?;
        offline::run_league(config, order, signals.any(), on_progress).await
    })
}

/// Makes a demonstration in an empty folder and serves it, until Ctrl-C or SIGTERM.
pub fn demo(
    config: Config,
    on_news: &mut dyn FnMut(DemoNews),
    on_start: &mut dyn FnMut(&Server, &Demo),
    on_interrupt: fn(),
) -> Result<(), DemoError> {
    runtime()?.block_on(async {
        let mut signals = Signals::listen().map_err(StartError::Runtime)?;
        let (server, demo) = demo::start(config, signals.any(), on_news).await?;
        on_start(&server, &demo);
        Ok(server.run(signals.stop(on_interrupt)).await.map_err(StartError::Runtime)?)
    })
}

fn runtime() -> Result<Runtime, StartError> {
    Builder::new_multi_thread().enable_all().build().map_err(StartError::Runtime)
}

/// The signals that stop the server: Ctrl-C and SIGTERM.
#[cfg(unix)]
struct Signals {
    interrupt: signal::unix::Signal,
    terminate: signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    async fn interrupt(&mut self) {
        self.interrupt.recv().await;
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    async fn any(&mut self) {
        self.interrupt().await;
    }

    async fn interrupt(&mut self) {
        let _ = signal::ctrl_c().await;
    }
}

impl Signals {
    /// Waits for the first signal. From then on only Ctrl-C counts: what sends SIGTERM may send it twice.
    async fn stop(mut self, on_interrupt: fn()) {
        self.any().await;
        tracing::info!("finishing what is under way; Ctrl-C ends at once");
        tokio::spawn(async move {
            self.interrupt().await;
            on_interrupt();
        });
    }
}
