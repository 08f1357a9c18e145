//! Metrics for Prometheus: requests, errors, connections, tables, waiting work.

use std::sync::OnceLock;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use metrics::Unit;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use palestra_store::{Role, Scope};

use crate::http::error::Refused;
use crate::visitor::Visitor;

/// Requests, by the pattern of their address and the status of the answer.
const REQUESTS: &str = "palestra_requests_total";
/// Response times.
const REQUEST_SECONDS: &str = "palestra_request_seconds";
/// Errors of the store.
pub(crate) const STORE_ERRORS: &str = "palestra_store_errors_total";
/// Mails that could not be sent.
pub(crate) const MAIL_ERRORS: &str = "palestra_mail_errors_total";
/// Connections that stay open.
pub(crate) const WEBSOCKETS: &str = "palestra_websockets";
/// TCP connections that are open.
pub(crate) const CONNECTIONS: &str = "palestra_connections";
/// Games that are under way.
pub(crate) const TABLES: &str = "palestra_tables";
/// Saved tables that could not be read at a start of the server.
pub(crate) const UNREADABLE_TABLES: &str = "palestra_unreadable_tables";
/// Tasks that wait for a search thread.
pub(crate) const THINKING: &str = "palestra_thinking_waiting";

/// Buckets of the histogram of response times, fine around the goal of 100 ms.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Counts what a process does. The libraries know one recorder a process, however many servers it has.
fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        let builder = builder.set_buckets_for_metric(Matcher::Full(REQUEST_SECONDS.to_owned()), BUCKETS);
        let recorder = builder.expect("there are buckets").build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed: /metrics stays empty");
        }
        handle
    })
}

/// Begins to count. What has not happened yet is shown as 0.
pub(crate) fn begin() {
    recorder();
    metrics::describe_counter!(REQUESTS, "Requests by the pattern of their address and the status of the answer");
    metrics::describe_histogram!(REQUEST_SECONDS, Unit::Seconds, "How long answers took");
    metrics::describe_counter!(STORE_ERRORS, "What the database could not do");
    for kind in ["full", "busy", "fault"] {
        metrics::counter!(STORE_ERRORS, "kind" => kind).increment(0);
    }
    metrics::describe_counter!(MAIL_ERRORS, "Mails that could not be sent");
    metrics::counter!(MAIL_ERRORS).increment(0);
    metrics::describe_gauge!(THINKING, "Questions that wait for a thread to think in");
    for kind in ["move", "analysis"] {
        metrics::gauge!(THINKING, "for" => kind).increment(0.0);
    }
    let gauges = [
        (CONNECTIONS, "Connections that are open, WebSockets among them"),
        (WEBSOCKETS, "WebSockets that are open"),
        (TABLES, "Tables that are open"),
        (UNREADABLE_TABLES, "Saved tables that could not be read and are set aside"),
    ];
    for (name, meaning) in gauges {
        metrics::describe_gauge!(name, meaning);
        metrics::gauge!(name).increment(0.0);
    }
}

/// Puts what was measured where it takes little room; to be called now and then.
pub(crate) fn tidy() {
    recorder().run_upkeep();
}

/// Counts and measures each request.
pub(crate) async fn layer(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let response = next.run(request).await;
    let (status, elapsed) = (response.status(), began.elapsed());
    // The pattern, not the address: links are secrets.
    tracing::debug!(%method, path, status = status.as_u16(), elapsed_ms = elapsed.as_millis(), "answered");
    metrics::counter!(REQUESTS, "path" => path.clone(), "status" => status.as_str().to_owned()).increment(1);
    metrics::histogram!(REQUEST_SECONDS, "path" => path).record(elapsed);
    response
}

/// All metrics, for the machine itself and for admins, also with an API token that may read.
pub(crate) async fn metrics(visitor: Visitor, headers: HeaderMap) -> Result<Response, Refused> {
    if !is_local(&visitor, &headers) && visitor.may(Scope::Read)?.role < Role::Admin {
        return Err(Refused::Forbidden);
    }
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, rendered()).into_response())
}

/// All counts, as Prometheus reads them.
pub(crate) fn rendered() -> String {
    recorder().render()
}

/// Whether the request comes from this machine. What any proxy has forwarded does not count, trusted or not.
fn is_local(visitor: &Visitor, headers: &HeaderMap) -> bool {
    let is_passed_on =
        ["x-forwarded-for", "forwarded", "x-real-ip", "via"].iter().any(|name| headers.contains_key(*name));
    visitor.address.is_loopback() && !is_passed_on
}
