//! The archive of a course whose league has been played.

use std::io::{Cursor, Read};

use palestra_games::Record;
use palestra_web::Demo;
use serde_json::Value;
use zip::ZipArchive;

use crate::site::{Browser, between};

/// The files of an archive.
pub(crate) fn files(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let file = |index: usize| {
        let mut file = archive.by_index(index).unwrap();
        let mut text = vec![];
        file.read_to_end(&mut text).unwrap();
        (file.name().unwrap().into_owned(), String::from_utf8_lossy(&text).into_owned())
    };
    (0..count).map(file).collect()
}

/// What a teacher gets of the demonstration: all games of the league with their players, its ranking, and the marks.
pub(crate) async fn holds_league_and_marks(teacher: &Browser, demo: &Demo) {
    let url = teacher.address(&format!("{}/archive.zip", demo.course));
    let answer = teacher.client().get(url).send().await.unwrap();
    let files = files(&answer.bytes().await.unwrap());
    let text = |end: &str| {
        let found = files.iter().find(|(name, _)| name.ends_with(end));
        found.map(|(_, text)| text.as_str()).unwrap_or_else(|| panic!("no {end}"))
    };
    let league: Value = serde_json::from_str(text("/league.json")).unwrap();
    assert!(demo.run.contains(league["code"].as_str().unwrap()) && league["schedule"].is_object(), "{league}");
    let run: Value = serde_json::from_str(text("/run-1/run.json")).unwrap();
    assert_eq!((&run["state"], &run["counted"]), (&"finished".into(), &true.into()), "{run}");
    assert!(run["settings"]["seed"].is_number(), "{run}");

    let standings: Vec<&str> = text("/run-1/standings.csv").lines().collect();
    assert_eq!(standings[0], "rank,name,won,drawn,lost,points,timeouts,charged,difference,scored");
    let page = teacher.get(&demo.run).await.text;
    let mut rest = between(&page, "<tbody", "</tbody>");
    assert_eq!(standings.len(), 13);
    for line in &standings[1..] {
        let bot = line.split(',').nth(1).unwrap();
        let at = rest.find(&format!("<bdi>{bot}</bdi>")).unwrap_or_else(|| panic!("{bot} is not below the one before"));
        rest = &rest[at..];
    }

    let games: Vec<Vec<&str>> = text("/run-1/games.csv").lines().map(|line| line.split(',').collect()).collect();
    let records = Record::read_all(text("/run-1/games.txt").as_bytes()).unwrap();
    assert_eq!((games.len(), records.len()), (133, 132));
    for (line, record) in games[1..].iter().zip(&records) {
        assert_eq!([record.tag("Player1"), record.tag("Player2")], [Some(line[1]), Some(line[2])], "{line:?}");
        assert_eq!(line[7], record.moves().len().to_string(), "{line:?}");
    }
    assert_eq!(text("/run-1/players.csv").lines().count(), 13);

    let marks = text("/marks.csv");
    assert!(marks.lines().count() == 13 && marks.contains(",4.00,"), "{marks}");
    assert!(text("/games-of-marks.csv").contains(&demo.run), "the points of the league come from its run");
    assert!(text("/hand-ins.csv").starts_with("file,team,"));
}
