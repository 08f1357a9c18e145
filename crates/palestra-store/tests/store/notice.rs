//! Notices.

use crate::NOW_MS;
use crate::course::course_with_groups;
use crate::place::on_both;

on_both! {
    async fn a_notice_is_read_by_those_it_is_for(store: Store) {
        let (course, [a1, b2], teacher) = course_with_groups(&store).await;
        for (group, text) in [(None, "to all"), (Some(a1.id), "to A1"), (Some(b2.id), "to B2\n<b>")] {
            store.post_notice((course.id, group), teacher, text, NOW_MS).await.unwrap();
        }
        let read = async |group| {
            let notices = store.notices(course.id, group).await.unwrap();
            let mut texts: Vec<_> = notices.into_iter().map(|notice| notice.text).collect();
            texts.sort();
            texts
        };
        assert_eq!(read(None).await, ["to A1", "to B2\n<b>", "to all"], "a teacher reads all");
        assert_eq!(read(Some(a1.id)).await, ["to A1", "to all"]);
        assert_eq!(read(Some(b2.id)).await, ["to B2\n<b>", "to all"]);
        let notices = store.notices(course.id, Some(a1.id)).await.unwrap();
        let to_group = notices.iter().find(|notice| notice.group_id.is_some()).unwrap();
        assert_eq!((to_group.group_code.as_deref(), to_group.nickname.as_deref()), (Some("A1"), Some("Teacher")));
        assert!(!store.delete_notice(course.id + 1, to_group.id).await.unwrap());
        assert!(store.delete_notice(course.id, to_group.id).await.unwrap());
        assert_eq!(read(Some(a1.id)).await, ["to all"]);
        assert!(store.notices(course.id + 1, None).await.unwrap().is_empty());
    }
}
