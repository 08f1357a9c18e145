//! Any bytes as a class list: the students that are found write and read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_tournament::ClassList;

fuzz_target!(|bytes: &[u8]| {
    let Ok(list) = ClassList::read(bytes) else { return };
    if list.students.is_empty() {
        return;
    }
    let again = ClassList::read(list.write().as_bytes()).expect("what was written can be read");
    assert_eq!((again.problems.len(), again.students.len()), (0, list.students.len()));
    for (one, other) in again.students.iter().zip(&list.students) {
        assert_eq!((&one.name, &one.email, &one.group, &one.id_number), (&other.name, &other.email, &other.group, &other.id_number));
    }
});
