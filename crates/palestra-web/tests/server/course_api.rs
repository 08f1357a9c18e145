//! What teachers' programs do with courses.

use reqwest::Client;
use serde_json::Value;

use crate::archive::files;
use crate::assignments::zip;
use crate::copies::add;
use crate::courses::{Course, teacher};
use crate::people::{admin, somebody};
use crate::site::{Browser, Seen, Site, send};
use crate::token::create;

async fn get(browser: &Browser, path: &str, token: &str) -> Seen {
    send(Client::new().get(browser.address(path)).bearer_auth(token)).await
}

/// The codes of the courses that a token sees.
async fn courses(browser: &Browser, token: &str) -> Vec<String> {
    let seen = get(browser, "/api/v1/courses", token).await;
    let page: Value = serde_json::from_str(&seen.text).unwrap();
    page["items"].as_array().unwrap().iter().map(|course| course["code"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_token_sees_the_courses_that_its_owner_teaches() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let (ana, eva, ben) =
        (teacher(&site, &root, "Ana").await, teacher(&site, &root, "Eva").await, somebody(&site, "Ben").await);
    let course = Course::create(&ana, "Inteligencia Artificial").await;
    course.add_group(&ana, "A1").await;
    let code = course.path.strip_prefix("/courses/").unwrap().to_owned();
    let archive = format!("/api/v1/courses/{code}/archive");

    let token = create(&ana, "course", &["course"]).await;
    assert_eq!(courses(&ana, &token).await, [code.as_str()]);
    assert_eq!(courses(&ana, &create(&root, "course", &["course"]).await).await, [code.as_str()], "admins see all");
    for stranger in [&eva, &ben] {
        let token = create(stranger, "course", &["course"]).await;
        assert_eq!(courses(&ana, &token).await, [] as [&str; 0]);
        assert_eq!(get(&ana, &archive, &token).await.status, 404);
    }
    let others = create(&ana, "others", &["read", "play", "analyse", "bots"]).await;
    for path in ["/api/v1/courses", &archive] {
        assert_eq!(get(&ana, path, &others).await.status, 403, "{path} needs the scope");
        assert_eq!(send(Client::new().get(ana.address(path))).await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn an_archive_holds_the_roster() {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let (ana, ben) = (teacher(&site, &root, "Ana").await, somebody(&site, "Ben").await);
    let course = Course::create(&ana, "=HYPERLINK(1)").await;
    let join = course.add_group(&ana, "A1").await;
    assert_eq!(ben.post(&join, &[]).await.status, 200);
    let template = zip(&[("bot.cpp", b"int main() { return 0; }")]);
    assert_eq!(add(&ana, &course, "template", "given", template).await.status, 200);
    let token = create(&ana, "course", &["course"]).await;
    let url = ana.address(&format!("/api/v1{}/archive", course.path));
    let answer = Client::new().get(url).bearer_auth(&token).send().await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["content-type"]),
        (200, &"application/zip".parse().unwrap())
    );
    let files = files(&answer.bytes().await.unwrap());
    let text =
        |name: &str| &files.iter().find(|file| file.0 == name).unwrap_or_else(|| panic!("no {name}: {files:?}")).1;
    let about: Value = serde_json::from_str(text("course.json")).unwrap();
    assert_eq!((&about["name"], &about["groups"][0]["code"]), (&"=HYPERLINK(1)".into(), &"A1".into()));
    let roster: Vec<&str> = text("roster.csv").lines().collect();
    assert_eq!(roster[0], "name,email,group,id_number,nickname,state,team,withdrawn");
    assert_eq!(roster[1..], ["Real Ben,ben@example.org,A1,,Ben,waiting,1,"]);
    assert!(text("bots.csv").starts_with("name,game,"));
    assert!(files.iter().any(|file| file.0.starts_with("copies/given/template-")), "{files:?}");
}
