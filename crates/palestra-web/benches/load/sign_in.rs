//! How long it takes to sign in with the right password: most of it is the hash of the password, which is slow on purpose.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use palestra_web::{Config, NewAdmin, create_admin};

use crate::Delays;
use crate::client::{Visitor, connect};

const MEMBERS: usize = 10;
/// In each of the two parts. The server lets an address try an account ten times in a row.
const SIGN_INS_A_MEMBER: usize = 5;
const PASSWORD: &str = "correct-horse";

fn email(number: usize) -> String {
    format!("member{number}@example.org")
}

/// Makes the accounts that sign in. They are admins, who need no mail to be confirmed.
pub(crate) async fn add_members(data: &Path) {
    let config = Config { data: data.to_owned(), ..Config::default() };
    for number in 0..MEMBERS {
        let nickname = format!("member{number}");
        let new = NewAdmin { name: nickname.clone(), nickname, email: email(number), password: PASSWORD.to_owned() };
        create_admin(&config, new).await.expect("an account");
    }
}

/// The members sign in one after the other, over one connection: from the form that is sent to the session in the answer.
pub(crate) async fn sign_ins(address: &Arc<str>) -> Delays {
    let (delays, visitor) = (Delays::default(), Visitor::new(address).await);
    let mut stream = connect(address).await;
    for number in 0..MEMBERS * SIGN_INS_A_MEMBER {
        let fields = format!("email={}&password={PASSWORD}", email(number % MEMBERS));
        let sent = Instant::now();
        let (status, head, body) = visitor.post(&mut stream, "/sign-in", &fields).await;
        delays.add(sent.elapsed());
        assert_eq!(status, 303, "{head}{body}");
    }
    delays
}
