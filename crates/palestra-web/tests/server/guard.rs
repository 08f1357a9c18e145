//! Who may do what, and what cannot be smuggled in.

use crate::people::{PASSWORD, admin, email, mail, mails, register, somebody};
use crate::site::{Browser, Site, send};

type Form = (&'static str, &'static [(&'static str, &'static str)]);

/// Every form about accounts.
const FORMS: [Form; 13] = [
    ("/register", &[("name", "N"), ("nickname", "Newcomer"), ("email", "new@example.org"), ("password", PASSWORD)]),
    ("/confirm/abcdefghijkmnpqrstuvwxyz23", &[("password", PASSWORD)]),
    ("/sign-in", &[("email", "ada@example.org"), ("password", PASSWORD)]),
    ("/sign-out", &[]),
    ("/forgotten", &[("email", "ada@example.org")]),
    ("/reset/abcdefghijkmnpqrstuvwxyz23", &[("password", PASSWORD)]),
    (
        "/setup/abcdefghijkmnpqrstuvwxyz23",
        &[("name", "N"), ("nickname", "Nnn"), ("email", "n@n.example"), ("password", PASSWORD)],
    ),
    ("/settings/profile", &[("name", "Changed"), ("nickname", "Changed")]),
    ("/settings/password", &[("current", PASSWORD), ("password", "changed password")]),
    ("/settings/tokens", &[("label", "changed"), ("read", "on")]),
    ("/settings/tokens/revoke", &[("id", "1")]),
    ("/settings/delete", &[("password", PASSWORD)]),
    ("/admin/registrations/confirm", &[("id", "1")]),
];

const ROLE: Form = ("/admin/accounts/role", &[("nickname", "Ada"), ("role", "admin")]);

#[tokio::test]
async fn no_form_is_taken_from_another_page() {
    let site = Site::open().await;
    let (root, ada) = (admin(&site, "Root").await, somebody(&site, "Ada").await);
    let (foreign, own) = (ada.csrf().await, root.csrf().await);
    for (path, fields) in FORMS.into_iter().chain([ROLE]) {
        assert_eq!(root.post_as_is(path, fields).await.status, 403, "{path} without the word");
        let with = |csrf| fields.iter().copied().chain([("csrf", csrf)]).collect::<Vec<_>>();
        assert_eq!(root.post_as_is(path, &with(&foreign)).await.status, 403, "{path} with somebody else's");
        let request = root.client().post(root.address(path)).form(&with(&own)).header("origin", "http://evil.example");
        assert_eq!(send(request).await.status, 403, "{path} from another site");
        assert_eq!(root.get("/admin/accounts").await.status, 200, "{path}");
    }
    let page = root.get("/admin/accounts").await.text;
    assert!(!page.contains("Changed") && !page.contains("new@example.org"));
    assert!(ada.get("/settings").await.text.contains("Student"));
}

#[tokio::test]
async fn every_page_and_action_is_for_those_it_is_for() {
    let site = Site::open().await;
    let (root, stranger) = (admin(&site, "Root").await, Browser::new(&site));
    let (student, teacher) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    root.post("/admin/accounts/role", &[("nickname", "Bob"), ("role", "teacher")]).await;
    for path in ["/settings", "/settings/tokens", "/settings/export", "/api/me"] {
        assert_eq!(stranger.get(path).await.status, 401, "{path}");
        assert_eq!(student.get(path).await.status, 200, "{path}");
    }
    assert_eq!(stranger.get("/admin/accounts").await.status, 401);
    for other in [&student, &teacher] {
        assert_eq!(other.get("/admin/accounts").await.status, 403);
        assert!(!other.get("/").await.text.contains("/admin/"));
    }
    for (path, fields) in FORMS.into_iter().filter(|(path, _)| path.starts_with("/settings")) {
        assert_eq!(stranger.post(path, fields).await.status, 401, "{path}");
    }
    for (path, fields) in FORMS.into_iter().chain([ROLE]).filter(|(path, _)| path.starts_with("/admin")) {
        assert_eq!(stranger.post(path, fields).await.status, 401, "{path}");
        assert_eq!(student.post(path, fields).await.status, 403, "{path}");
        assert_eq!(teacher.post(path, fields).await.status, 403, "{path}");
    }
    assert!(student.get("/settings").await.text.contains("Student"), "nothing was changed");
}

#[tokio::test]
async fn what_people_write_stays_text() {
    let site = Site::open().await;
    let (root, ada) = (admin(&site, "Root").await, somebody(&site, "Ada").await);
    let hostile = "</script><script>alert(1)</script>\"'&";
    let changed = ada.post("/settings/profile", &[("name", hostile), ("nickname", "Ada")]).await;
    assert_eq!(changed.status, 200);
    let search = format!("/admin/accounts?q={}", "%3C%2Fscript%3E%3Cscript%3Ealert(1)");
    for page in [changed.text, root.get("/admin/accounts").await.text, root.get(&search).await.text] {
        assert!(page.contains("alert(1)") && !page.contains("<script"), "{page}");
    }
    let refused = [
        ("Ada\u{1b}[2J", "Ada"),
        ("Ada\u{202e}", "Ada"),
        ("Ada\r\nBcc: all@example.org", "Ada"),
        ("Ada", hostile),
        ("Ada", "Ada\u{202e}"),
        ("Ada", "A\u{200b}da"),
        ("Ada", "Ada\u{1b}[31m"),
        ("Ada", "deleted"),
    ];
    for (name, nickname) in refused {
        let seen = ada.post("/settings/profile", &[("name", name), ("nickname", nickname)]).await;
        assert_eq!(seen.status, 422, "{name:?} {nickname:?}");
    }
    let again = register(&Browser::new(&site), "<script>", "x@example.org").await;
    assert!(again.status == 422 && !again.text.contains("<script"), "{again:?}");
}

#[tokio::test]
async fn no_header_is_added_to_a_mail() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let person = |name, email| [("name", name), ("nickname", "Ada"), ("email", email), ("password", PASSWORD)];
    let lines = person("Ada\r\nBcc: all@example.org", "ada@example.org");
    assert_eq!(browser.post("/register", &lines).await.status, 422);
    for address in ["ada@example.org\r\nBcc: all@example.org", "ada@example.org, all@example.org", "<ada@example.org>"]
    {
        assert_eq!(browser.post("/register", &person("Ada", address)).await.status, 422, "{address:?}");
        assert_eq!(browser.post("/forgotten", &[("email", address)]).await.status, 422, "{address:?}");
    }
    assert_eq!(browser.post("/register", &person("Free pills at evil.example", &email("Ada"))).await.status, 200);
    let told = mail(&site, &email("Ada"), "/confirm/").await;
    assert!(!told.contains("pills") && !told.contains("Bcc"), "a mail holds nothing that a visitor wrote: {told}");
    assert!(mails(&site, "all@example.org").is_empty());
}

#[tokio::test]
async fn addresses_and_names_are_not_public() {
    let site = Site::open().await;
    let (ada, bob) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    for (browser, path) in
        [(&bob, "/"), (&bob, "/settings"), (&ada, "/"), (&ada, "/api/me"), (&Browser::new(&site), "/")]
    {
        let page = browser.get(path).await.text;
        assert!(!page.contains("Real Ada") && !page.contains("ada@example.org"), "{path}: {page}");
    }
}
