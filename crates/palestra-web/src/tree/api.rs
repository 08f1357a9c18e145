//! Trees for scripts and programs, and as files.

use std::convert::Infallible;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use palestra_search::engine::Stop;
use palestra_search::tree::{Row, Tree};
use serde::Serialize;
use utoipa::ToSchema;

use super::budget::{Portions, within};
use super::page::Form;
use super::picture;
use super::question::{Question, Wanted};
use crate::app::App;
use crate::drawings::takes_gzip;
use crate::help::{BARRED, Help};
use crate::http::error::Refused;
use crate::line::sent;
use crate::visitor::Visitor;

/// Searches a position and writes down the tree.
///
/// `nodes` has arrays with an entry for each node, in the order of the search.
#[utoipa::path(
    post, path = "/tree", operation_id = "tree", request_body = Wanted, security(("token" = ["analyse"]), ()),
    responses((status = 200, body = Object))
)]
pub(crate) async fn api(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    let file = search(&app, &visitor, sent(wanted)?, as_json, takes_gzip(&headers)).await?;
    Ok(file.response("application/json", None))
}

/// The JSON response of a comparison.
#[derive(Serialize, ToSchema)]
#[schema(as = Comparison)]
pub(crate) struct Compared {
    /// A search each: its name, its nodes, cut-offs and branching factor, and the value.
    #[schema(value_type = Vec<Object>)]
    rows: Vec<Row>,
}

/// Counts what other searches need for the same value.
#[utoipa::path(
    post, path = "/tree/compare", operation_id = "compare", request_body = Wanted,
    security(("token" = ["analyse"]), ()), responses((status = 200, body = Compared))
)]
pub(crate) async fn compare(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Json<Compared>, Refused> {
    app.origins.check(&headers, &visitor)?;
    let (question, help) = begin(&app, &visitor, sent(wanted)?).await?;
    let cpu = help.cpu;
    let work = move |quit: &AtomicBool| question.compare(&mut Portions::new(cpu, quit));
    let rows = app.thinking.search(help.owner, cpu, work).await??;
    Ok(Json(Compared { rows }))
}

/// The same tree as a file, by the address of its page.
pub(crate) async fn download_json(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Result<Query<Form>, QueryRejection>,
) -> Result<Response, Refused> {
    let wanted = asked(form)?.wanted().map_err(|(_, refused)| refused)?;
    let name = format!("tree-{}.json", wanted.game);
    let file = search(&app, &visitor, wanted, as_json, takes_gzip(&headers)).await?;
    Ok(file.response("application/json", Some(&name)))
}

/// The same tree as a picture.
pub(crate) async fn download_svg(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Result<Query<Form>, QueryRejection>,
) -> Result<Response, Refused> {
    let form = asked(form)?;
    let (plies, locale) = (form.plies(), visitor.locale);
    let wanted = form.wanted().map_err(|(_, refused)| refused)?;
    let name = format!("tree-{}.svg", wanted.game);
    let write = move |tree: &Tree| picture::drawn(tree, plies, locale).into_bytes();
    let file = search(&app, &visitor, wanted, write, takes_gzip(&headers)).await?;
    Ok(file.response("image/svg+xml", Some(&name)))
}

fn asked(form: Result<Query<Form>, QueryRejection>) -> Result<Form, Refused> {
    form.map(|Query(form)| form).map_err(|_| Refused::bad("refused.form"))
}

fn as_json(tree: &Tree) -> Vec<u8> {
    serde_json::to_vec(tree).expect("every name in a tree is a text")
}

/// A tree as it is sent. Until all of it is sent it counts among what its visitor has under way: so a server holds few large
/// trees for slow readers.
struct File {
    bytes: Bytes,
    is_gzip: bool,
    help: Help,
}

/// The bytes that are sent at a time.
const CHUNK_BYTES: usize = 64 << 10;

impl File {
    /// The answer with it; with a name it is to be saved.
    fn response(self, kind: &'static str, name: Option<&str>) -> Response {
        let Self { bytes, is_gzip, help } = self;
        let chunks = (0..bytes.len()).step_by(CHUNK_BYTES).map(move |begin| {
            let _kept = &help;
            Ok::<_, Infallible>(bytes.slice(begin..bytes.len().min(begin + CHUNK_BYTES)))
        });
        let body = Body::from_stream(stream::iter(chunks));
        let mut response = ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let disposition = name.and_then(|name| format!("attachment; filename=\"{name}\"").parse().ok());
        disposition.map(|value| headers.insert(header::CONTENT_DISPOSITION, value));
        response
    }
}

/// Searches for a visitor and writes the tree down, both on a thread that thinks.
async fn search(
    app: &App,
    visitor: &Visitor,
    wanted: Wanted,
    write: impl FnOnce(&Tree) -> Vec<u8> + Send + 'static,
    takes_gzip: bool,
) -> Result<File, Refused> {
    let (question, help) = begin(app, visitor, wanted).await?;
    let (its, cpu) = (app.clone(), help.cpu);
    let work = move |quit: &AtomicBool| {
        let tree = allowed(&its, &question, &mut within(cpu, quit))?;
        let bytes = write(&tree);
        if takes_gzip { gzip(&bytes) } else { Ok(bytes) }
    };
    let bytes = app.thinking.search(help.owner, cpu, work).await??.into();
    Ok(File { bytes, is_gzip: takes_gzip, help })
}

/// The question, and leave to search for its answer.
async fn begin(app: &App, visitor: &Visitor, wanted: Wanted) -> Result<(Question, Help), Refused> {
    Help::count(app, visitor)?;
    let load = wanted.asked().load();
    let read = move || wanted.asked().record().and_then(|record| wanted.question(&record));
    let question = app.rendering.run(load, read).await??;
    let help = Help::begin_at(app, visitor, &*question.position)?;
    Ok((question, help))
}

/// The tree, if none of its positions is near a rated game in progress.
fn allowed(app: &App, question: &Question, stop: &mut dyn Stop) -> Result<Tree, Refused> {
    let tree = question.tree(stop)?;
    if app.tables.has_secret(tree.game, &tree.recording.nodes.keys) { Err(Refused::bad(BARRED)) } else { Ok(tree) }
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>, Refused> {
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| {
        tracing::error!(%error, "a tree cannot be compressed");
        Refused::Fault
    })
}
