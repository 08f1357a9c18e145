//! The end of courses: teachers are warned of it, then what is personal is deleted.

use palestra_store::{Course, StoreError};

use crate::app::{App, now_ms};
use crate::copies;
use crate::mail::Mail;

/// Warns the teachers of courses that end soon, and purges those that have ended.
pub(crate) async fn tidy(app: &App) -> Result<(), StoreError> {
    let now_ms = now_ms();
    for course in app.store.courses_to_warn(now_ms).await? {
        // First the note: a mail is rather lost than sent every minute.
        if app.store.note_warning(&course, now_ms).await? {
            warn(app, &course).await?;
        }
    }
    for course in app.store.courses_to_purge(now_ms).await? {
        // What cannot be read now is read at the next try.
        let prints = match copies::of_course(app, &course).await {
            Ok(prints) => prints,
            Err(refused) => {
                tracing::warn!(course = course.code, reason = refused.key(), "a course cannot be purged yet");
                continue;
            }
        };
        app.store.purge_course(course.id, &prints, now_ms).await?;
        tracing::info!(course = course.code, "purged a course that has ended");
    }
    Ok(())
}

async fn warn(app: &App, course: &Course) -> Result<(), StoreError> {
    let link = app.origins.link(&format!("/courses/{}/settings", course.code));
    for teacher in app.store.course_teachers(course.id).await? {
        app.mailer.send(Mail { to: teacher.email, locale: None, kind: "course_ends", link: link.clone() });
    }
    Ok(())
}
