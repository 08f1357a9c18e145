//! A real browser: Chromium without a window, driven by its DevTools protocol.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::prelude::{BASE64_STANDARD, Engine};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::line::LOCALHOST;
use crate::site::WAIT_LIMIT;

/// A running Chromium; it ends with this.
pub(crate) struct Chrome {
    process: Child,
    /// Where it listens: `ws://127.0.0.1:PORT`.
    address: String,
    devtools: DevTools,
    _profile: TempDir,
}

/// A window of its own, with its own cookies.
pub(crate) struct Tab {
    devtools: DevTools,
}

struct DevTools {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
    /// The addresses that were asked for, by the number of the request.
    requests: HashMap<String, String>,
    /// What the page's scripts or its policies complained about, and requests that failed.
    complaints: Vec<String>,
    /// The kinds of dialogs that were opened; the answer to all of them is yes.
    dialogs: Vec<String>,
    /// What a trace has recorded, and whether all of it has come.
    trace: Vec<Value>,
    is_traced: bool,
}

/// The bit of the shift key among the modifiers of a key event.
const SHIFT: u8 = 8;

/// Pause between two looks at a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Chrome {
    pub(crate) async fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("chromium");
        command.args(["--headless=new", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]);
        command.args(["--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=900,1000"]);
        command.arg(format!("--host-resolver-rules=MAP localhost {LOCALHOST}"));
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
        if is_root {
            command.arg("--no-sandbox");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("chromium is installed: test.sh sees to it");
        let stderr = BufReader::new(process.stderr.take().unwrap());
        let listening = tokio::task::spawn_blocking(|| listening(stderr)).await.unwrap();
        let address = listening.split("/devtools").next().unwrap().to_owned();
        Self { process, address, devtools: DevTools::connect(&listening).await, _profile: profile }
    }

    /// A window of somebody else.
    pub(crate) async fn tab(&mut self) -> Tab {
        let context = self.devtools.call("Target.createBrowserContext", json!({})).await;
        let target = json!({"url": "about:blank", "browserContextId": context["browserContextId"]});
        let target = self.devtools.call("Target.createTarget", target).await;
        let target = target["targetId"].as_str().unwrap();
        let mut devtools = DevTools::connect(&format!("{}/devtools/page/{target}", self.address)).await;
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] {
            devtools.call(domain, json!({})).await;
        }
        Tab { devtools }
    }
}

/// Where it says that it listens. What it says after that is read too, so that it does not wait for a reader.
fn listening(stderr: impl BufRead + Send + 'static) -> String {
    let mut lines = stderr.lines().map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
    std::thread::spawn(move || lines.for_each(drop));
    address.expect("chromium starts")
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Tab {
    /// Opens an address.
    pub(crate) async fn open(&mut self, url: &str) {
        self.eval("window.isOld = true").await;
        self.call("Page.navigate", json!({"url": url})).await;
        self.wait_for("!window.isOld && document.readyState === 'complete' && location.href !== 'about:blank'").await;
    }

    /// Makes the window so large.
    pub(crate) async fn resize(&mut self, width: u32, height: u32) {
        let params = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", params).await;
    }

    /// The value of an expression.
    pub(crate) async fn eval(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        self.call("Runtime.evaluate", params).await["result"]["value"].take()
    }

    /// Until a condition holds.
    pub(crate) async fn wait_for(&mut self, condition: &str) {
        let begun = Instant::now();
        while self.eval(condition).await != Value::Bool(true) {
            if begun.elapsed() > WAIT_LIMIT {
                let page = self.eval("document.body?.innerText").await;
                panic!("not within {WAIT_LIMIT:?}: {condition}; {:?}\n{page}", self.devtools.complaints);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Clicks on the middle of the first element like this, as soon as there is one.
    pub(crate) async fn click(&mut self, selector: &str) {
        let element = format!("document.querySelector({})", json!(selector));
        self.wait_for(&format!("{element} !== null")).await;
        self.click_on(&element).await;
    }

    /// Clicks on the middle of the element that an expression finds; nothing if it finds none.
    pub(crate) async fn click_on(&mut self, element: &str) {
        let middle = self.eval(&middle_of(element)).await;
        if middle.is_null() {
            return;
        }
        for kind in ["mousePressed", "mouseReleased"] {
            self.mouse(kind, &middle).await;
        }
    }

    /// Moves the mouse to the middle of the element that an expression finds.
    pub(crate) async fn point_at(&mut self, element: &str) {
        let middle = self.eval(&middle_of(element)).await;
        self.mouse("mouseMoved", &middle).await;
    }

    /// Drags from the middle of one element to that of another.
    pub(crate) async fn drag(&mut self, from: &str, to: &str) {
        let (from, to) = (self.eval(&middle_of(from)).await, self.eval(&middle_of(to)).await);
        self.mouse("mousePressed", &from).await;
        self.mouse("mouseMoved", &to).await;
        self.mouse("mouseReleased", &to).await;
    }

    /// Lets the mouse do something at a place of the window.
    pub(crate) async fn mouse(&mut self, kind: &str, at: &Value) {
        let is_held = u8::from(kind != "mouseReleased");
        let params =
            json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": is_held, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", params).await;
    }

    /// Asks pages for as little motion as possible.
    pub(crate) async fn reduce_motion(&mut self) {
        let features = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
        self.call("Emulation.setEmulatedMedia", features).await;
    }

    /// Presses a key: `Enter`, `5`, `Shift+Tab`.
    pub(crate) async fn press(&mut self, key: &str) {
        let shifted = key.strip_prefix("Shift+");
        let (key, modifiers) = (shifted.unwrap_or(key), if shifted.is_some() { SHIFT } else { 0 });
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let named = json!({"type": kind, "key": key, "code": key, "text": text, "modifiers": modifiers});
            self.call("Input.dispatchKeyEvent", with_number(named, key)).await;
        }
    }

    /// Lets the system prefer `light` or `dark`.
    pub(crate) async fn prefer_colours(&mut self, theme: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": theme});
        self.call("Emulation.setEmulatedMedia", json!({"features": [feature]})).await;
    }

    /// Gives the window cookies for a site, written as in a request: `a=1; b=2`.
    pub(crate) async fn set_cookies(&mut self, url: &str, cookies: &str) {
        for (name, value) in cookies.split("; ").filter_map(|cookie| cookie.split_once('=')) {
            let params = json!({"name": name, "value": value, "url": url});
            self.call("Network.setCookie", params).await;
        }
    }

    /// A picture of the whole page, as PNG.
    pub(crate) async fn picture(&mut self) -> Vec<u8> {
        self.screenshot(true).await
    }

    /// A picture of what the window shows, as PNG.
    pub(crate) async fn view(&mut self) -> Vec<u8> {
        self.screenshot(false).await
    }

    async fn screenshot(&mut self, is_whole: bool) -> Vec<u8> {
        let params = json!({"format": "png", "captureBeyondViewport": is_whole});
        let picture = self.call("Page.captureScreenshot", params).await;
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// Asks the browser for something by the name that DevTools have for it.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        self.devtools.call(method, params).await
    }

    /// Ends a trace that was begun by `Tracing.start`; its events.
    #[allow(dead_code, reason = "benchmarks use it")]
    pub(crate) async fn end_trace(&mut self) -> Vec<Value> {
        self.devtools.is_traced = false;
        self.call("Tracing.end", json!({})).await;
        while !self.devtools.is_traced {
            // What the browser says is heard while an answer is awaited.
            self.call("Runtime.evaluate", json!({"expression": "0"})).await;
        }
        std::mem::take(&mut self.devtools.trace)
    }

    /// The kinds of dialogs that pages have opened: `beforeunload` asks whether to leave.
    pub(crate) fn dialogs(&self) -> &[String] {
        &self.devtools.dialogs
    }

    /// What scripts and policies complained about so far, and which requests failed.
    pub(crate) fn complaints(&self) -> &[String] {
        &self.devtools.complaints
    }
}

/// An expression for the middle of the element that another expression finds, scrolled into view.
fn middle_of(element: &str) -> String {
    format!(
        "(() => {{ const element = {element}; if (!element) return null; \
         element.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
         const box = element.getBoundingClientRect(); \
         return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    )
}

/// A key event with the number of the key: what a browser itself does with a key, such as going on with Tab, follows from it.
fn with_number(mut event: Value, key: &str) -> Value {
    let number = match key {
        "Tab" => 9,
        "Enter" => 13,
        "Escape" => 27,
        "End" => 35,
        "Home" => 36,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        _ => return event,
    };
    event["windowsVirtualKeyCode"] = json!(number);
    event
}

impl DevTools {
    async fn connect(address: &str) -> Self {
        let (socket, _) = connect_async(address).await.unwrap();
        Self {
            socket,
            next: 0,
            requests: HashMap::new(),
            complaints: vec![],
            dialogs: vec![],
            trace: vec![],
            is_traced: false,
        }
    }

    /// Asks for something, and waits for the answer.
    async fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let request = json!({"id": self.next, "method": method, "params": params});
        self.socket.send(Message::text(request.to_string())).await.unwrap();
        loop {
            let next = tokio::time::timeout(WAIT_LIMIT, self.socket.next()).await;
            let next = next.unwrap_or_else(|_| panic!("no answer to {request} within {WAIT_LIMIT:?}"));
            let Message::Text(text) = next.unwrap().unwrap() else { continue };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.next {
                return message["result"].take();
            }
            if message["method"] == "Page.javascriptDialogOpening" {
                self.dialogs.push(message["params"]["type"].as_str().unwrap_or_default().to_owned());
                // The page waits for the answer; the answer to this waits for nobody.
                let yes = json!({"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": true}});
                self.socket.send(Message::text(yes.to_string())).await.unwrap();
            }
            self.hear(&message);
        }
    }

    fn hear(&mut self, event: &Value) {
        let params = &event["params"];
        let request = params["requestId"].as_str().unwrap_or_default();
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(params["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => {
                self.complaints.push(params["args"].to_string());
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.complaints.push(params["entry"].to_string());
            }
            Some("Tracing.dataCollected") => {
                self.trace.extend(params["value"].as_array().into_iter().flatten().cloned())
            }
            Some("Tracing.tracingComplete") => self.is_traced = true,
            Some("Network.requestWillBeSent") => {
                self.requests.insert(request.to_owned(), params["request"]["url"].to_string());
            }
            Some("Network.responseReceived") if params["response"]["status"].as_u64() >= Some(400) => {
                self.complaints.push(format!("{} for {}", params["response"]["status"], params["response"]["url"]));
            }
            // Whoever leaves a page cancels what it still asks for.
            Some("Network.loadingFailed") if params["canceled"] != true => {
                let url = self.requests.get(request).map_or("an unknown address", |url| url);
                self.complaints.push(format!("{} for {url}", params["errorText"]));
            }
            _ => {}
        }
    }
}
