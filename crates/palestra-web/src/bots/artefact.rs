//! Programs built from the sources of versions: a cache in the data folder, from which any of them may be removed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use palestra_arena::{Artefact, EntrantError, Program, Upload, UploadError};
use palestra_sandbox::{BuildFailure, Sandbox};
use palestra_store::{BotVersion, Id, StoreError};

use crate::app::App;
use crate::data_folder::make_private;

/// Why the program of a version cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoProgram {
    /// There is no sandbox, for this reason.
    #[error("uploaded programs do not run on this server: {0}")]
    NoSandbox(String),
    /// There is no such version.
    #[error("there is no such version")]
    NoVersion,
    /// The sources were deleted, and the cache does not have the program.
    #[error("the sources were deleted")]
    NoSources,
    /// The sources are no program of the game any more.
    #[error("the sources cannot be built: {0}")]
    Upload(#[from] UploadError),
    /// It was not built.
    #[error("it was not built: {0}")]
    Build(#[from] BuildFailure),
    /// It cannot be started.
    #[error(transparent)]
    Start(#[from] EntrantError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The cache failed.
    #[error("the cache of programs: {0}")]
    Cache(#[from] io::Error),
    /// The work was given up because the server stops.
    #[error("the server is stopping")]
    Stopping,
}

/// Name of the file that says how a cached program is run, beside the folder with its files.
const ABOUT: &str = "artefact.json";
const FILES: &str = "files";

/// Maximum number of programs that are kept ready to be started.
const MAX_READY: usize = 160;

/// Age from which on a program that no version needs is removed.
const UNUSED_AGE: Duration = Duration::from_secs(3600);

/// The programs of versions.
#[derive(Debug)]
pub(crate) struct Artefacts {
    folder: PathBuf,
    /// Programs that lie ready in the sandbox, by the name of their folder, and when each was last asked for.
    ready: Mutex<HashMap<String, (Program, Instant)>>,
}

impl Artefacts {
    /// The cache in this folder, which is created when it is needed.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, ready: Mutex::default() }
    }

    /// The program of a version, ready to be started any number of times: from the cache, or built from its sources.
    pub(crate) async fn program(&self, app: &App, version: Id) -> Result<Program, NoProgram> {
        let version = app.store.version_by_id(version).await?.ok_or(NoProgram::NoVersion)?;
        let bot = app.store.bot_by_id(version.bot_id).await?.ok_or(NoProgram::NoVersion)?;
        let key = key(&version.source_hash, &bot.game);
        if let Some(program) = self.ready(&key) {
            return Ok(program);
        }
        let files = app.store.version_files(version.id).await?;
        let app = app.clone();
        let made = tokio::task::spawn_blocking(move || {
            let sandbox = app.config.sandbox.clone().map_err(NoProgram::NoSandbox)?;
            app.artefacts.make(&key, &bot.game, files, &sandbox)
        });
        made.await.map_err(|_| NoProgram::Stopping)?
    }

    /// Keeps the artefact that a version was built to. Its protocol is asked for if it is not known yet. Blocks.
    pub(crate) fn keep(
        &self,
        version: &BotVersion,
        game: &str,
        artefact: Artefact,
        sandbox: &Arc<Sandbox>,
    ) -> Result<Program, NoProgram> {
        self.add(&key(&version.source_hash, game), game, artefact, sandbox)
    }

    /// Removes the programs that were made from other sources than these, once they have been there for a while. Blocks.
    pub(crate) fn tidy(&self, sources: &HashSet<String>) -> io::Result<()> {
        let is_used = |key: &str| key.split('-').next().is_some_and(|source| sources.contains(source));
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, _| is_used(key));
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > UNUSED_AGE && !entry.file_name().to_str().is_some_and(is_used) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    fn make(
        &self,
        key: &str,
        game: &str,
        files: Vec<(String, Vec<u8>)>,
        sandbox: &Arc<Sandbox>,
    ) -> Result<Program, NoProgram> {
        if let Some(mut artefact) = self.read(key)? {
            let program = artefact.program(game, sandbox)?;
            self.note(key, &program);
            return Ok(program);
        }
        if files.is_empty() {
            return Err(NoProgram::NoSources);
        }
        self.add(key, game, Upload::of_files(game, files)?.build(sandbox)?, sandbox)
    }

    fn add(&self, key: &str, game: &str, mut artefact: Artefact, sandbox: &Arc<Sandbox>) -> Result<Program, NoProgram> {
        let program = artefact.program(game, sandbox)?;
        self.write(key, &artefact)?;
        self.note(key, &program);
        Ok(program)
    }

    fn ready(&self, key: &str) -> Option<Program> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let (program, used) = ready.get_mut(key)?;
        *used = Instant::now();
        Some(program.clone())
    }

    fn note(&self, key: &str, program: &Program) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.insert(key.to_owned(), (program.clone(), Instant::now()));
        if ready.len() > MAX_READY
            && let Some(oldest) = ready.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| key.clone())
        {
            ready.remove(&oldest);
        }
    }

    /// The artefact in the cache; `None` if it is not there, or not whole.
    fn read(&self, key: &str) -> io::Result<Option<Artefact>> {
        let folder = self.folder.join(key);
        let about = match fs::read(folder.join(ABOUT)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            about => about?,
        };
        let Ok(mut artefact) = serde_json::from_slice::<Artefact>(&about) else { return Ok(None) };
        for entry in fs::read_dir(folder.join(FILES))? {
            let entry = entry?;
            let name = entry.file_name().into_string().map_err(|_| io::Error::other("a name is no text"))?;
            artefact.files.push((name, fs::read(entry.path())?));
        }
        Ok(Some(artefact))
    }

    /// Writes an artefact. If another worker has written it meanwhile, that one stays.
    fn write(&self, key: &str, artefact: &Artefact) -> io::Result<()> {
        make_private(&self.folder)?;
        let draft = tempfile::Builder::new().prefix("draft").tempdir_in(&self.folder)?;
        let files = draft.path().join(FILES);
        fs::create_dir(&files)?;
        for (name, content) in &artefact.files {
            fs::write(files.join(name), content)?;
        }
        fs::write(draft.path().join(ABOUT), serde_json::to_vec(artefact)?)?;
        put(&draft.keep(), &self.folder.join(key))
    }
}

/// Gives a folder its name, unless there is one of that name.
fn put(draft: &Path, place: &Path) -> io::Result<()> {
    match fs::rename(draft, place) {
        Err(_) if place.exists() => fs::remove_dir_all(draft),
        renamed => renamed,
    }
}

/// The name of the folder of a program.
fn key(source_hash: &str, game: &str) -> String {
    format!("{source_hash}-{game}")
}
