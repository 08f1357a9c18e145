//! Bots, for programs.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use palestra_arena::UploadError;
use palestra_store::{Bot, Scope};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::access::Access;
use super::list::{self, NewBotForm};
use super::report::{Excerpt, Report};
use super::show::ShownVersion;
use super::upload;
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// A bot.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedBot {
    name: String,
    /// The id of a game, such as `mancala`.
    game: String,
    /// `cpp`, `python` or `rust`.
    language: String,
    /// The code of its course; null if it is for none.
    course: Option<String>,
    /// The number of the version that plays; null if none does.
    active: Option<i64>,
    created_ms: i64,
}

impl From<Bot> for ListedBot {
    fn from(bot: Bot) -> Self {
        let Bot { name, game, language, course_code, active, created_ms, .. } = bot;
        Self { name, game, language, course: course_code, active, created_ms }
    }
}

/// The bots of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedBots {
    items: Vec<ListedBot>,
}

/// A bot to be registered.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct WantedBot {
    /// A C++ identifier of at most 51 characters that no other bot and no other person has.
    name: String,
    /// The id of a game, such as `mancala`; with a course its game.
    #[serde(default)]
    game: String,
    /// `cpp`, `python` or `rust`.
    language: String,
    /// The code of a course that the account has joined.
    #[serde(default)]
    course: String,
}

/// A version of a bot.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ShownBotVersion {
    number: i64,
    /// `waiting`, `compiling`, `checking`, `playing`, `ready` or `refused`.
    state: &'static str,
    /// Whether it is the one that plays.
    is_active: bool,
    note: String,
    /// The size of its sources.
    size_bytes: i64,
    /// The SHA-256 of its sources.
    source_hash: String,
    created_ms: i64,
    compiler: Option<String>,
    /// How many jobs go before the one that builds it; null if it is not waiting.
    before: Option<i64>,
    /// Whether the server has given up trying it.
    is_stuck: bool,
    /// The compiler's command, and what the compiler says if it refuses the sources.
    command: String,
    message: String,
    /// The compiler's first error.
    first_error: Option<ShownError>,
    steps: Vec<ShownStep>,
}

/// A compiler's error, at its line of source.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ShownError {
    file: String,
    line: usize,
    column: Option<usize>,
    text: String,
    /// The lines around it.
    excerpt: Vec<ShownLine>,
}

/// A line of source.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ShownLine {
    number: usize,
    text: String,
    /// Whether the error is in this line.
    is_it: bool,
}

/// A step of trying a version.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ShownStep {
    /// A word for the step, such as `compile`.
    kind: &'static str,
    /// `running`, `passed`, `warned` or `failed`.
    state: &'static str,
    /// What it finds out, in words.
    title: String,
    elapsed_ms: u64,
    notes: Vec<ShownNote>,
}

/// Something that was found in a step.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ShownNote {
    /// Whether the version is refused for it.
    is_failure: bool,
    text: String,
    /// More about it, in English: what happened, what the program wrote, the position.
    details: Vec<String>,
}

impl ShownBotVersion {
    fn new(access: &Access, shown: ShownVersion, locale: Locale) -> Self {
        let ShownVersion { version, report, excerpt, before, is_stuck, .. } = shown;
        let first_error = report.first_error().map(|error| ShownError {
            file: error.file,
            line: error.line,
            column: error.column,
            text: error.text,
            excerpt: excerpt
                .into_iter()
                .map(|Excerpt { number, text, is_it }| ShownLine { number, text, is_it })
                .collect(),
        });
        Self {
            number: version.number,
            state: version.state.word(),
            is_active: access.bot.active_version_id == Some(version.id),
            note: version.note,
            size_bytes: version.size_bytes,
            source_hash: version.source_hash,
            created_ms: version.created_ms,
            compiler: version.compiler,
            before,
            is_stuck,
            first_error,
            steps: steps(&report, &access.bot.name, locale),
            command: report.command,
            message: report.message,
        }
    }
}

fn steps(report: &Report, bot: &str, locale: Locale) -> Vec<ShownStep> {
    let note = |note: &super::report::Note| ShownNote {
        is_failure: note.is_failure(),
        text: note.text(bot, locale),
        details: note.rows().into_iter().map(|(_, text)| text.to_owned()).collect(),
    };
    let step = |step: &super::report::Step| ShownStep {
        kind: step.kind.into(),
        state: step.state(),
        title: step.title(locale),
        elapsed_ms: step.elapsed_ms,
        notes: step.notes.iter().map(note).collect(),
    };
    report.steps.iter().map(step).collect()
}

/// Lists the account's bots.
#[utoipa::path(
    get, path = "/bots", operation_id = "bots", security(("token" = ["bots"])),
    responses((status = 200, body = ListedBots))
)]
pub(crate) async fn all(State(app): State<App>, visitor: Visitor) -> Result<Json<ListedBots>, Refused> {
    let account = visitor.may(Scope::Bots)?;
    let bots = app.store.bots_of(account.id).await?;
    Ok(Json(ListedBots { items: bots.into_iter().map(ListedBot::from).collect() }))
}

/// Registers a bot.
#[utoipa::path(
    post, path = "/bots", operation_id = "registerBot", security(("token" = ["bots"])), request_body = WantedBot,
    responses((status = 201, body = ListedBot))
)]
pub(crate) async fn register(
    State(app): State<App>,
    visitor: Visitor,
    wanted: Result<Json<WantedBot>, JsonRejection>,
) -> Result<(StatusCode, Json<ListedBot>), Refused> {
    let account = visitor.may(Scope::Bots)?;
    let Json(WantedBot { name, game, language, course }) = wanted.map_err(|_| Refused::bad("refused.form"))?;
    list::add(&app, account, &NewBotForm::of(&name, &game, &language, &course)).await?;
    let bot = app.store.bot(&name).await?.ok_or(Refused::NotFound)?;
    Ok((StatusCode::CREATED, Json(bot.into())))
}

/// Shows a bot.
#[utoipa::path(
    get, path = "/bots/{name}", operation_id = "bot", security(("token" = ["bots"])),
    params(("name" = String, Path, description = "The bot's name.")),
    responses((status = 200, body = ListedBot))
)]
pub(crate) async fn bot(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<Json<ListedBot>, Refused> {
    let access = Access::find(&app, visitor.may(Scope::Bots)?, &name).await?;
    Ok(Json(access.bot.into()))
}

/// What is said of an upload beside its files.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct UploadQuery {
    /// A note for the list of versions.
    note: String,
}

/// Uploads a version.
///
/// The body is a zip of the sources. The version is built and tried; ask for it until its state is `ready` or `refused`.
#[utoipa::path(
    post, path = "/bots/{name}/versions", operation_id = "uploadVersion", security(("token" = ["bots"])),
    params(("name" = String, Path, description = "The bot's name."), UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/zip"),
    responses((status = 201, body = ShownBotVersion))
)]
pub(crate) async fn add_version(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    query: Result<Query<UploadQuery>, QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<ShownBotVersion>), Refused> {
    let account = visitor.may(Scope::Bots)?;
    app.limits.bot_uploads.check(Key::Account(account.id))?;
    let access = Access::find_own(&app, account, &name).await?;
    let Query(UploadQuery { note }) = query.map_err(|_| Refused::bad("refused.form"))?;
    let body = body.map_err(|_| Refused::bad_with("bots.bad_upload", UploadError::TooLarge.phrase()))?;
    let number = upload::add(&app, account, &access, &note, upload::zipped(&body)).await?;
    let shown = ShownVersion::of(&app, access.version(&app, number).await?).await?;
    Ok((StatusCode::CREATED, Json(ShownBotVersion::new(&access, shown, visitor.locale))))
}

/// Shows a version, and what was found about it so far.
#[utoipa::path(
    get, path = "/bots/{name}/versions/{number}", operation_id = "version", security(("token" = ["bots"])),
    params(
        ("name" = String, Path, description = "The bot's name."),
        ("number" = i64, Path, description = "The version's number.")
    ),
    responses((status = 200, body = ShownBotVersion))
)]
pub(crate) async fn version(
    State(app): State<App>,
    visitor: Visitor,
    Path((name, number)): Path<(String, i64)>,
) -> Result<Json<ShownBotVersion>, Refused> {
    let access = Access::find_inside(&app, visitor.may(Scope::Bots)?, &name).await?;
    let shown = ShownVersion::of(&app, access.version(&app, number).await?).await?;
    Ok(Json(ShownBotVersion::new(&access, shown, visitor.locale)))
}
