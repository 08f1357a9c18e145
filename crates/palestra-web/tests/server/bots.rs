//! Bots: registered, uploaded, built in boxes, tried, compared; who sees what of them.

use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use flate2::write::DeflateEncoder;
use palestra_sandbox::{Helper, Sandbox};
use palestra_store::Quotas;
use palestra_web::Config;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::courses::{Course, course_form, teacher};
use crate::people::{admin, email, mail, somebody};
use crate::site::{Browser, Seen, Site, WAIT_LIMIT, between, send};
use crate::token::create;

/// The program beside the tests that contains the helper of boxes.
fn helper() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let helper = tests.parent().unwrap().parent().unwrap().join("palestra-box");
    assert!(helper.exists(), "{} is missing: cargo build --release --workspace", helper.display());
    helper
}

/// Lets a server build and run uploaded programs.
pub(crate) fn with_boxes(config: &mut Config) {
    config.sandbox = Ok(Arc::new(Sandbox::new(Helper::at(helper())).unwrap()));
}

pub(crate) async fn register(browser: &Browser, name: &str, course: &str) -> Seen {
    let fields = [("name", name), ("game", "mancala"), ("language", "cpp"), ("course", course)];
    browser.post("/bots", &fields).await
}

/// Files with their names.
type Files<'a> = &'a [(&'a str, &'a [u8])];

pub(crate) async fn upload(browser: &Browser, bot: &str, files: Files<'_>) -> Seen {
    let mut form = Form::new().text("csrf", browser.csrf().await).text("note", "first try");
    for (name, content) in files {
        form = form.part("files", Part::bytes(content.to_vec()).file_name((*name).to_owned()));
    }
    send(browser.client().post(browser.address(&format!("/bots/{bot}/versions"))).multipart(form)).await
}

/// A pair of the Mancala course that plays the last pit that it can.
pub(crate) fn pair(name: &str) -> [(String, String); 2] {
    let header = format!(
        "#include \"Bot.h\"\nclass {name} : public Bot {{\npublic:\n    {name}() {{}}\n    void initialize() {{}}\n    string getName() {{ \
         return \"{name}\"; }}\n    Move nextMove(const vector<Move> &adversary, const GameState &state);\n}};\n"
    );
    let source = format!(
        "#include \"{name}.h\"\nMove {name}::nextMove(const vector<Move> &adversary, const GameState &state) {{\n    for (int pit = P6; pit >= P1; \
         pit--)\n        if (state.getSeedsAt(getPlayer(), (Position) pit) > 0) return (Move) pit;\n    return M_NONE;\n}}\n"
    );
    [(format!("{name}.h"), header), (format!("{name}.cpp"), source)]
}

fn as_files(pair: &[(String, String)]) -> Vec<(&str, &[u8])> {
    pair.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect()
}

/// Waits until a version is no longer tried; what is known of it then.
pub(crate) async fn tried(site: &Site, token: &str, bot: &str, number: i64) -> Value {
    let begun = Instant::now();
    loop {
        let address = format!("{}/api/v1/bots/{bot}/versions/{number}", site.url);
        let seen = send(reqwest::Client::new().get(address).bearer_auth(token)).await;
        assert_eq!(seen.status, 200, "{seen:?}");
        let version: Value = serde_json::from_str(&seen.text).unwrap();
        if ["ready", "refused"].contains(&version["state"].as_str().unwrap()) {
            return version;
        }
        assert!(begun.elapsed() < WAIT_LIMIT, "{version}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

/// The steps of a version that did not pass, and the texts of what was found in them.
fn troubles(version: &Value) -> Vec<(String, Vec<String>)> {
    let steps = version["steps"].as_array().unwrap().iter().filter(|step| step["state"] != "passed");
    let texts = |step: &Value| step["notes"].as_array().unwrap().iter().map(|note| text(&note["text"])).collect();
    steps.map(|step| (text(&step["kind"]), texts(step))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_name_is_registered_once_and_refusals_say_why() {
    let site = Site::open_with(with_boxes).await;
    let (ada, bob) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    assert_eq!(Browser::new(&site).get("/bots").await.status, 401);
    assert!(ada.get("/bots").await.text.contains("You have no bot yet"));
    let seen = register(&ada, "Lento", "").await;
    assert!(seen.status == 200 && seen.path == "/bots/Lento", "{seen:?}");
    assert!(ada.get("/bots").await.text.contains("href=\"/bots/Lento\""));
    let refused = [
        ("lento", "There is a bot called lento"),
        ("ada", "another person&#39;s nickname"),
        ("class", "keyword of C++"),
        ("ninja7", "built-in player"),
        ("Bot", "reserved"),
        ("2fast", "called by an English letter"),
        ("<b>", "called by an English letter"),
    ];
    for (name, why) in refused {
        let seen = register(&bob, name, "").await;
        assert!(seen.status == 422 && seen.text.contains(why), "{name}: {}", seen.text);
    }
    assert_eq!(register(&bob, "Rapido", "nowhere").await.status, 422, "a course that he has not joined");
    let house = [("name", "Casa"), ("game", "mancala"), ("language", "cpp"), ("house", "playable")];
    assert_eq!(bob.post("/bots", &house).await.status, 422, "house bots are teachers'");
}

#[tokio::test]
async fn uploads_that_lie_are_refused_with_the_reason() {
    let site = Site::open_with(with_boxes).await;
    let ada = somebody(&site, "Ada").await;
    register(&ada, "Lento", "").await;
    let zip = |files: Files<'_>| palestra_arena::zip(files.iter().copied()).unwrap();
    let elf = b"\x7fELF\x02\x01\x01\0\0".as_slice();
    let program = b"int main() {}".as_slice();
    let bomb = bomb("bot.cpp", 64 << 20);
    assert!(bomb.len() < 100 << 10);
    let refused: [(&str, Files<'_>, &str); 9] = [
        ("an executable", &[("bot.cpp", elf)], "bot.cpp is refused: it is no text"),
        ("a bidi override", &[("bot\u{202e}ppc.exe", program)], "a file cannot be called"),
        ("a zip bomb", &[("x.zip", &bomb)], "it has more than 4 MiB"),
        ("nested folders", &[("x.zip", &zip(&[("a/bot.cpp", program), ("a/b/c.h", b"")]))], "in several folders"),
        ("outside", &[("x.zip", &zip(&[("../bot.cpp", program)]))], "its files lie outside of it"),
        ("no zip", &[("x.zip", b"PK\x03\x04 and nothing else")], "the zip cannot be taken"),
        ("an object", &[("bot.cpp", program), ("bot.o", b"x")], "compiled code is not taken"),
        (
            "two bots",
            &[("A.h", b"class A : public Bot {};"), ("B.h", b"class B : public Bot {};")],
            "more than one bot: A, B",
        ),
        ("another language", &[("bot.py", b"print()")], "registered as one written in C++"),
    ];
    for (what, files, why) in refused {
        let seen = upload(&ada, "Lento", files).await;
        assert!(seen.status == 422 && seen.text.contains(why), "{what}: {}", seen.text);
        assert!(!seen.text.contains('\u{202e}'), "{what}");
    }
    assert_eq!(upload(&ada, "Lento", &[]).await.status, 422);
    assert!(ada.get("/bots/Lento").await.text.contains("No version yet"));
    let stranger = Browser::new(&site);
    assert_eq!(stranger.get("/bots/Lento").await.status, 401);
    let form = Form::new().part("files", Part::bytes(program.to_vec()).file_name("bot.cpp"));
    let seen = send(ada.client().post(ada.address("/bots/Lento/versions")).multipart(form)).await;
    assert_eq!(seen.status, 403, "without the form's secret word");
    let form =
        Form::new().text("csrf", ada.csrf().await).part("files", Part::bytes(program.to_vec()).file_name("bot.cpp"));
    let request = ada.client().post(ada.address("/bots/Lento/versions")).multipart(form);
    assert_eq!(send(request.header("origin", "http://evil.example")).await.status, 403, "from another site's page");
}

/// A zip with a file of this number of blanks.
fn bomb(name: &str, bytes: usize) -> Vec<u8> {
    let blanks = vec![b' '; bytes];
    let mut deflate = DeflateEncoder::new(vec![], flate2::Compression::best());
    deflate.write_all(&blanks).unwrap();
    let deflated = deflate.finish().unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(&blanks);
    let mut zip = Cursor::new(vec![]);
    let mut local = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0".to_vec();
    let sizes = [crc.sum(), deflated.len() as u32, bytes as u32].map(u32::to_le_bytes).concat();
    local.extend(&sizes);
    local.extend((name.len() as u16).to_le_bytes());
    local.extend([0, 0]);
    let mut central = b"PK\x01\x02\x14\0\x14\0\0\0\x08\0\0\0\0\0".to_vec();
    central.extend(&sizes);
    central.extend((name.len() as u16).to_le_bytes());
    central.extend([0; 16]);
    zip.write_all(&[&local, name.as_bytes(), &deflated].concat()).unwrap();
    let start = zip.position() as u32;
    zip.write_all(&[&central, name.as_bytes()].concat()).unwrap();
    let size = zip.position() as u32 - start;
    zip.write_all(b"PK\x05\x06\0\0\0\0\x01\0\x01\0").unwrap();
    zip.write_all(&[size.to_le_bytes(), start.to_le_bytes()].concat()).unwrap();
    zip.write_all(&[0, 0]).unwrap();
    zip.into_inner()
}

#[tokio::test]
async fn quotas_are_said() {
    let site = Site::open_with(|config| {
        with_boxes(config);
        config.quotas.bots = 3;
    })
    .await;
    let ada = somebody(&site, "Ada").await;
    for name in ["Uno", "Dos", "Tres"] {
        assert_eq!(register(&ada, name, "").await.status, 200);
    }
    assert!(register(&ada, "Cuatro", "").await.text.contains("You have 3 bots, as many as an account can have"));
    let says = async |quotas: Quotas, says: &str| {
        let site = Site::open_with(|config| {
            with_boxes(config);
            config.quotas = quotas;
        })
        .await;
        let ada = somebody(&site, "Ada").await;
        register(&ada, "Lento", "").await;
        let seen = upload(&ada, "Lento", &as_files(&pair("Lento"))).await;
        assert!(seen.status == 422 && seen.text.contains(says), "{says}: {}", seen.text);
    };
    let usual = Quotas::default();
    says(Quotas { versions: 0, ..usual }, "This bot has 0 versions, as many as it can have").await;
    says(Quotas { bytes: 20, ..usual }, "Your sources have 0 MiB in all").await;
    says(Quotas { builds: 0, ..usual }, "0 of your versions are waiting or being tried").await;
    let none = Site::open().await;
    let bob = somebody(&none, "Bob").await;
    register(&bob, "Rapido", "").await;
    let seen = upload(&bob, "Rapido", &as_files(&pair("Rapido"))).await;
    assert!(seen.status == 422 && seen.text.contains("do not run on this server"), "{}", seen.text);
}

#[tokio::test]
async fn only_the_owner_and_the_courses_teachers_see_inside() {
    let site = Site::open_with(with_boxes).await;
    let root = admin(&site, "Root").await;
    let (tom, ulla) = (teacher(&site, &root, "Tom").await, teacher(&site, &root, "Ulla").await);
    let (ada, bob, eve) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await, somebody(&site, "Eve").await);
    let form: Vec<_> = course_form("Inteligencia").into_iter().filter(|(name, _)| *name != "domains").collect();
    let form = [form, vec![("domains", "example.org")]].concat();
    let course = Course { path: tom.post("/courses", &form).await.path };
    Course::create(&ulla, "Otro curso").await;
    let join = course.add_group(&tom, "A1").await;
    let code = course.path.strip_prefix("/courses/").unwrap();
    assert_eq!(register(&ada, "Lento", code).await.status, 422, "she has not joined");
    for student in [&ada, &bob] {
        assert_eq!(student.post(&join, &[]).await.path, course.path);
    }
    assert_eq!(register(&ada, "Lento", code).await.status, 200);
    let house = [("name", "Casero"), ("game", "mancala"), ("language", "cpp"), ("course", code), ("house", "hidden")];
    assert_eq!(tom.post("/bots", &house).await.status, 200);
    let secret = "first try";
    assert_eq!(upload(&ada, "Lento", &as_files(&pair("Lento"))).await.status, 200);
    assert_eq!(upload(&tom, "Casero", &as_files(&pair("Casero"))).await.status, 200);
    assert!(ada.get("/bots/Lento").await.text.contains(secret));
    let sources = ada.get("/bots/Lento/versions/1/sources").await;
    assert_eq!((sources.status.as_u16(), &sources.headers["content-type"]), (200, &"application/zip".parse().unwrap()));
    for (browser, status) in [(&bob, 200), (&root, 200), (&eve, 404), (&ulla, 404)] {
        let page = browser.get("/bots/Lento").await;
        assert_eq!(page.status, status);
        assert!(!page.text.contains(secret) && !page.text.contains("Upload version"), "{}", page.text);
        assert_eq!(browser.get("/bots/Lento/versions/1/sources").await.status, 404);
        let refused = if status == 200 { 403 } else { 404 };
        assert_eq!(upload(browser, "Lento", &as_files(&pair("Lento"))).await.status, refused);
        assert_eq!(browser.get("/bots/Casero").await.status, 404);
    }
    assert!(tom.get("/bots/Lento").await.text.contains(secret), "the course's teacher");
    assert_eq!(upload(&tom, "Lento", &as_files(&pair("Lento"))).await.status, 403, "and yet it is not his");
    // One of no course has a page for everyone who is signed in, without what is inside.
    assert_eq!(register(&ada, "Propio", "").await.status, 200);
    assert_eq!(upload(&ada, "Propio", &as_files(&pair("Propio"))).await.status, 200);
    for browser in [&bob, &eve, &ulla, &root] {
        let page = browser.get("/bots/Propio").await;
        assert!(page.status == 200 && !page.text.contains(secret), "{}", page.text);
        assert_eq!(browser.get("/bots/Propio/versions/1/sources").await.status, 404);
    }
}

#[tokio::test]
async fn a_pair_is_built_tried_and_plays() {
    let site = Site::open_with(with_boxes).await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "mine", &["bots"]).await;
    register(&ada, "Lento", "").await;
    assert_eq!(upload(&ada, "Lento", &as_files(&pair("Lento"))).await.path, "/bots/Lento");
    let good = tried(&site, &token, "Lento", 1).await;
    assert_eq!(
        (&good["state"], &good["is_active"], troubles(&good)),
        (&json!("ready"), &json!(true), vec![]),
        "{good}"
    );
    let kinds: Vec<&str> =
        good["steps"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(&kinds[..3], ["compile", "names", "start"]);
    assert_eq!(&kinds[kinds.len() - 4..], ["game_first", "game_second", "time", "itself"]);
    assert!(text(&good["command"]).starts_with("g++ -O2") && text(&good["compiler"]).contains("g++"), "{good}");
    let title = text(&good["steps"][kinds.len() - 1]["title"]);
    assert!(title.starts_with("Test game against itself: ended "), "{title}");

    // A mistake, and then two versions of which one talks on the simulator's output.
    let [header, (source_name, source)] = pair("Lento");
    let wrong = [header.clone(), (source_name.clone(), source.replace("return M_NONE", "retur M_NONE"))];
    upload(&ada, "Lento", &as_files(&wrong)).await;
    let refused = tried(&site, &token, "Lento", 2).await;
    assert_eq!((&refused["state"], troubles(&refused)), (&json!("refused"), vec![("compile".to_owned(), vec![])]));
    let error = &refused["first_error"];
    assert_eq!((&error["file"], &error["line"]), (&json!("Lento.cpp"), &json!(5)), "{refused}");
    let it = error["excerpt"].as_array().unwrap().iter().find(|line| line["is_it"] == true).unwrap();
    assert_eq!(it["text"], "    retur M_NONE;");
    let page = ada.get("/bots/Lento?version=2").await.text;
    assert!(
        page.contains("The first error:") && page.contains("retur M_NONE") && !page.contains("data-again"),
        "{page}"
    );
    let told = mail(&site, &email("Ada"), "upload was refused").await;
    assert!(told.contains("/bots/Lento?version"), "{told}");

    let names = [pair("Rapido")[0].clone(), pair("Rapido")[1].clone()];
    upload(&ada, "Lento", &as_files(&names)).await;
    let misnamed = tried(&site, &token, "Lento", 3).await;
    let expected = [
        "The class is called Rapido, and the bot Lento.",
        "The file with the class is called Rapido.h: it must be Lento.h.",
        "The file with the class's functions is called Rapido.cpp: it must be Lento.cpp.",
        "getName() answers Rapido, and the bot is called Lento.",
    ];
    assert_eq!(troubles(&misnamed), [("names".to_owned(), expected.map(str::to_owned).to_vec())]);

    let talks = [
        header,
        (
            source_name,
            source.replace("    return M_NONE", "    cerr << 1; // cout\n    if (false) cout << 1;\n    return M_NONE"),
        ),
    ];
    upload(&ada, "Lento", &as_files(&talks)).await;
    let warned = tried(&site, &token, "Lento", 4).await;
    let [(kind, notes)] = troubles(&warned).try_into().unwrap();
    assert!(kind == "streams" && notes.len() == 1 && notes[0].starts_with("Lento.cpp, line 6: cout"), "{notes:?}");
    assert_eq!(warned["state"], "ready", "a warning");

    assert_eq!(ada.post("/bots/Lento/activate", &[("number", "2")]).await.status, 422, "it was refused");
    assert_eq!(ada.post("/bots/Lento/activate", &[("number", "1")]).await.status, 200);
    assert_eq!(tried(&site, &token, "Lento", 1).await["is_active"], true);
    assert_eq!(ada.post("/bots/Lento/delete-version", &[("number", "3")]).await.status, 200);
    assert_eq!(ada.get("/bots/Lento?version=3").await.status, 404);
    assert_eq!(ada.post("/bots/Lento/delete-version", &[("number", "1")]).await.status, 422, "it plays");

    // Both play alike: the comparison ends when games only repeat.
    assert_eq!(ada.post("/bots/Lento/compare", &[("number", "4"), ("other", "4")]).await.status, 422);
    let seen = ada.post("/bots/Lento/compare", &[("number", "4"), ("other", "1")]).await;
    assert!(seen.status == 200 && seen.text.contains("v4 – v1"), "{}", seen.text);
    assert_eq!(ada.post("/bots/Lento/compare", &[("number", "1"), ("other", "4")]).await.status, 422, "one at a time");
    let begun = Instant::now();
    loop {
        let page = ada.get("/bots/Lento").await.text;
        if page.contains("v4 is not better than v1") || page.contains("No difference can be seen") {
            break;
        }
        assert!(begun.elapsed() < WAIT_LIMIT, "{page}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    site.close().await;
}

/// The alpha-beta example of the kit for C++.
pub(crate) fn example() -> [(String, String); 2] {
    let kit = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../kits/cpp");
    let read = |name: &str| std::fs::read_to_string(kit.join(name)).unwrap();
    [("bot.cpp".to_owned(), read("mancala/alphabeta.cpp")), ("palestra.hpp".to_owned(), read("palestra.hpp"))]
}

#[tokio::test]
async fn a_search_is_compared_and_a_difference_shown() {
    let site = Site::open_with(with_boxes).await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "mine", &["bots"]).await;
    register(&ada, "Alfa", "").await;
    upload(&ada, "Alfa", &as_files(&example())).await;
    let right = tried(&site, &token, "Alfa", 1).await;
    assert_eq!((&right["state"], troubles(&right)), (&json!("ready"), vec![]), "{right}");
    let has_search = right["steps"].as_array().unwrap().iter().any(|step| step["kind"] == "search");
    assert!(has_search, "{right}");

    let [(name, source), kit] = example();
    let pruned = source.replace("if (alpha >= beta) break;", "if (alpha >= beta - 1) break;");
    assert_ne!(pruned, source);
    upload(&ada, "Alfa", &as_files(&[(name, pruned), kit])).await;
    let wrong = tried(&site, &token, "Alfa", 2).await;
    assert_eq!(wrong["state"], "ready", "it plays all the same");
    let [(kind, notes)] = troubles(&wrong).try_into().unwrap();
    assert_eq!(kind, "search");
    assert!(notes[0].starts_with("A search to depth 2 is not what alpha-beta finds: it plays "), "{notes:?}");
    // The page leads to the tree of that search.
    let page = ada.get("/bots/Alfa?version=2").await.text;
    assert!(page.contains("Values of the moves"), "{page}");
    let tree = between(&page, "href=\"/tree?", "\"").replace("&#38;", "&");
    let tree = ada.get(&format!("/tree?{tree}")).await;
    let asked = ["&#34;depth&#34;:2,&#34;evaluation&#34;:&#34;stores&#34;", "&#34;game&#34;:&#34;mancala&#34;"];
    assert!(tree.status == 200 && asked.iter().all(|asked| tree.text.contains(asked)), "{}", tree.text);
    site.close().await;
}

#[tokio::test]
async fn a_zip_is_uploaded_by_token() {
    let site = Site::open_with(with_boxes).await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "mine", &["bots"]).await;
    let to = |path: &str| reqwest::Client::new().post(format!("{}/api/v1/bots{path}", site.url)).bearer_auth(&token);
    let wanted = json!({"name": "Lento", "game": "mancala", "language": "cpp"});
    let seen = send(to("").json(&wanted)).await;
    assert_eq!(seen.status, 201, "{seen:?}");
    let taken = send(to("").json(&wanted)).await;
    assert!(taken.status == 422 && taken.text.contains("bots.wrong.taken"), "{taken:?}");
    let pair = pair("Lento");
    let zip = palestra_arena::zip(as_files(&pair)).unwrap();
    let seen = send(to("/Lento/versions?note=by%20hand").body(zip)).await;
    assert_eq!(seen.status, 201, "{seen:?}");
    let version: Value = serde_json::from_str(&seen.text).unwrap();
    assert_eq!((&version["number"], &version["note"]), (&json!(1), &json!("by hand")));
    let refused = send(to("/Lento/versions").body(bomb("bot.cpp", 64 << 20))).await;
    assert!(refused.status == 422 && refused.text.contains("more than 4 MiB"), "{refused:?}");
    assert_eq!(send(to("/Nada/versions").body("x")).await.status, 404);
}
