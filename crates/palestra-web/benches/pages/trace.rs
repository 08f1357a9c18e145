//! What a trace of Chromium says about the main thread of a page.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::chrome::Tab;

/// Begins a trace.
pub(crate) async fn begin(tab: &mut Tab) {
    let config =
        json!({"recordMode": "recordAsMuchAsPossible", "includedCategories": ["toplevel", "devtools.timeline"]});
    tab.call("Tracing.start", json!({"transferMode": "ReportEvents", "traceConfig": config})).await;
}

/// Ends the trace; all that was recorded.
pub(crate) async fn end(tab: &mut Tab) -> Vec<Value> {
    tab.end_trace().await
}

/// The longest task on the main thread of any page, in milliseconds: no frame could be made meanwhile.
pub(crate) fn longest_task(events: &[Value]) -> f64 {
    let thread = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64());
    let is_main = |event: &&Value| event["name"] == "thread_name" && event["args"]["name"] == "CrRendererMain";
    let mains: HashSet<_> = events.iter().filter(is_main).map(thread).collect();
    assert!(!mains.is_empty(), "the trace names the threads");
    let tasks = events
        .iter()
        .filter(|event| event["name"] == "ThreadControllerImpl::RunTask" && mains.contains(&thread(event)));
    let durations: Vec<f64> = tasks.filter_map(|event| event["dur"].as_f64()).collect();
    assert!(!durations.is_empty(), "the trace has tasks");
    durations.into_iter().fold(0.0, f64::max) / 1000.0
}
