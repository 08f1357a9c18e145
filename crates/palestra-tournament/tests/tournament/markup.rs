//! A small reader of markup that is stricter than browsers.

/// What is between the body's tags.
pub(crate) fn body(page: &str) -> &str {
    let (_, rest) = page.split_once("<body>\n").expect("a page has a body");
    rest.split_once("</body>").expect("a body ends").0
}

/// Checks that every element is closed in order, that only elements of reports occur, that attributes are quoted, and
/// that all numbers of the drawings are numbers.
pub(crate) fn assert_balanced(page: &str) {
    const KNOWN: &str = " header main section p h1 h2 dl div dt dd table caption thead tbody tr th td abbr bdi span \
                         figure figcaption svg title line text circle polyline details summary b ";
    let mut open = Vec::new();
    let mut rest = body(page);
    while let Some((before, tag)) = rest.split_once('<') {
        assert!(!before.contains('>'), "a stray > in {before:?}");
        let (tag, after) = tag.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(KNOWN.contains(&format!(" {name} ")), "an unknown element {name:?}");
        let attributes = attributes.strip_suffix('/').unwrap_or_else(|| {
            open.push(name);
            attributes
        });
        assert_attributes(attributes);
    }
    assert_eq!(open, [""; 0]);
}

fn assert_attributes(attributes: &str) {
    const NUMBERS: [&str; 11] = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"];
    let mut rest = attributes;
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").expect("an attribute has a value");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "an odd attribute {name:?}");
        assert!(!name.starts_with("on"), "a handler {name:?}");
        let (value, after) = value.split_once('"').expect("a value ends");
        if NUMBERS.contains(&name) {
            assert_number(value.trim_end_matches('%'));
        }
        if name == "points" {
            value.split([' ', ',']).for_each(assert_number);
        }
        rest = after.trim_start();
    }
}

fn assert_number(text: &str) {
    assert!(text.parse().is_ok_and(f64::is_finite), "{text:?} is not a number");
}
