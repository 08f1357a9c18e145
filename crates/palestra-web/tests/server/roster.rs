//! Rosters from class lists.

use reqwest::multipart::{Form, Part};

use crate::courses::Course;
use crate::people::{admin, mail, mails, somebody};
use crate::site::{Browser, Seen, Site, between, send};

/// Uploads a class list, and returns the preview.
pub(crate) async fn upload(teacher: &Browser, course: &Course, list: impl Into<Vec<u8>>, default: &str) -> Seen {
    let form = Form::new().text("csrf", teacher.csrf().await).text("group", default.to_owned());
    let form = form.part("list", Part::bytes(list.into()).file_name("list.csv"));
    send(teacher.client().post(teacher.address(&course.at("/roster"))).multipart(form)).await
}

/// Carries out what a preview shows, and removes the members with these names.
pub(crate) async fn import(teacher: &Browser, course: &Course, preview: &Seen, removed: &[&str]) -> Seen {
    let list = between(&preview.text, "<textarea name=\"list\" hidden>", "</textarea>");
    let list = list.replace("&#34;", "\"").replace("&#39;", "'").replace("&#38;", "&");
    let default = between(&preview.text, "name=\"group\" value=\"", "\"").to_owned();
    let ids: Vec<String> = removed
        .iter()
        .map(|name| {
            let (before, _) = preview.text.split_once(&format!("\"> <span><bdi>{name}</bdi>")).unwrap();
            before.rsplit_once("name=\"remove\" value=\"").unwrap().1.to_owned()
        })
        .collect();
    let mut fields = vec![("list", list.as_str()), ("group", &default)];
    fields.extend(ids.iter().map(|id| ("remove", id.as_str())));
    teacher.post(&course.at("/roster/import"), &fields).await
}

/// A course with the groups A1 and B2.
async fn open() -> (Site, Browser, Course) {
    let site = Site::open().await;
    let root = admin(&site, "Root").await;
    let course = Course::create(&root, "AI").await;
    for code in ["A1", "B2"] {
        course.add_group(&root, code).await;
    }
    (site, root, course)
}

#[tokio::test]
async fn a_list_is_shown_before_anything_is_done() {
    let (_site, root, course) = open().await;
    let list = b"Nombre;Correo;Grupo;DNI\r\nN\xfa\xf1ez, Ana;ana@example.org;a1;77\r\nBen;ben@example.org;C3;\r\nCem;cem;A1;\r\n\
                 Eva;eva@example.org;;\r\nAna 2;ANA@example.org;A1;\r\n";
    let preview = upload(&root, &course, *list, "B2").await;
    assert_eq!(preview.status, 200);
    for says in [
        "New: 2",
        "Changed: 0",
        "Left out: 3",
        "<td class=\"num\">3</td><td>The course has no group &#34;C3&#34;.",
        "<td class=\"num\">4</td><td>&#34;cem&#34; is not an e-mail address.",
        "<td class=\"num\">6</td><td>Line 2 has the same address.",
        "Import 2 lines",
    ] {
        assert!(preview.text.contains(says), "{says}: {}", preview.text);
    }
    assert!(root.get(&course.at("/members")).await.text.contains("Nobody is here yet"), "nothing is done");
    let members = import(&root, &course, &preview, &[]).await;
    assert_eq!(members.path, course.at("/members"));
    assert!(members.text.contains("Núñez, Ana") && members.text.contains("eva@example.org"), "{}", members.text);
    assert!(!members.text.contains("ben@example.org"));
    assert_eq!(members.text.matches("not here yet").count(), 2);
}

#[tokio::test]
async fn members_whom_a_list_does_not_name_stay_unless_they_are_ticked() {
    let (_site, root, course) = open().await;
    let first = upload(
        &root,
        &course,
        "Ana,ana@x.example,A1\nBen,ben@x.example,A1\nCem,cem@x.example,A1\nEva,eva@x.example,B2",
        "",
    )
    .await;
    import(&root, &course, &first, &[]).await;
    let again = upload(&root, &course, "Ana Renamed,ana@x.example,A1", "").await;
    assert!(again.text.contains("New: 0") && again.text.contains("Changed: 1"));
    let missing = between(&again.text, "Not in this list", "</fieldset>");
    assert!(missing.contains("Ben") && missing.contains("Cem") && !missing.contains("Eva"), "of its groups: {missing}");
    assert!(!missing.contains("checked"));
    let members = import(&root, &course, &again, &["Ben"]).await.text;
    assert!(members.contains("Ana Renamed") && members.contains("Cem") && members.contains("Eva"), "{members}");
    assert!(!members.contains("ben@x.example"));
    // Only who is missing can be removed.
    let eva = members.split_once("\"><bdi>Eva</bdi>").unwrap().0.rsplit_once('/').unwrap().1.to_owned();
    let fields = [("list", "Ana,ana@x.example,A1"), ("group", ""), ("remove", &*eva)];
    assert!(root.post(&course.at("/roster/import"), &fields).await.text.contains("eva@x.example"));
}

#[tokio::test]
async fn a_place_on_the_roster_is_taken_with_its_address() {
    let (site, root, course) = open().await;
    let known = somebody(&site, "Known").await;
    let list = "Known Roster,known@example.org,B2\nLate Roster,late@example.org,A1";
    let preview = upload(&root, &course, list, "").await;
    let members = import(&root, &course, &preview, &[]).await.text;
    assert_eq!(members.matches("not here yet").count(), 2, "nobody learns which address has an account");
    assert_eq!(root.post(&course.at("/invite"), &[]).await.status, 200);
    let told = mail(&site, "late@example.org", "you are on the roster").await;
    assert!(told.contains("/courses") && !told.contains("Roster") && !told.contains("AI"), "{told}");

    let asked = known.get("/courses").await.text;
    assert!(asked.contains("put you on the roster of AI") && asked.contains("will see your name"), "{asked}");
    assert_eq!(known.get(&course.path).await.status, 404);
    let joined = known.post(&course.at("/claim"), &[]).await;
    assert!(joined.path == course.path && joined.text.contains("Group B2"), "{joined:?}");
    let late = somebody(&site, "Late").await;
    assert!(late.get(&course.path).await.text.contains("Group A1"), "a confirmed registration takes its place");
    assert!(!root.get(&course.at("/members")).await.text.contains("not here yet"));
    assert!(!mails(&site, "known@example.org").is_empty());
}

#[tokio::test]
async fn what_is_no_list_is_refused_with_its_reason() {
    let (_site, root, course) = open().await;
    for (list, says) in [
        (Vec::from(b"PK\x03\x04\0\0"), "not a CSV file"),
        (vec![], "no students"),
        (Vec::from(b"\"Ana,ana@x.example"), "begins in line 1"),
        (vec![b'x'; (1 << 20) + 1], "larger than 1 MiB"),
    ] {
        let refused = upload(&root, &course, list, "").await;
        assert_eq!(refused.status, 422);
        let sentence = between(&refused.text, "id=\"list-error\">", "</p>");
        assert!(sentence.contains(says), "{sentence}");
    }
    let form = Form::new().text("csrf", "wrong").part("list", Part::text("Ana,ana@x.example,A1").file_name("x.csv"));
    assert_eq!(send(root.client().post(root.address(&course.at("/roster"))).multipart(form)).await.status, 403);
}
