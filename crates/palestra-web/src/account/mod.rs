//! Accounts: made, used, changed, deleted.

pub(crate) mod api_token;
pub(crate) mod confirm;
pub(crate) mod export;
pub(crate) mod forgotten;
mod password;
mod person;
pub(crate) mod register;
mod reserved;
pub(crate) mod settings;
pub(crate) mod sign_in;

use palestra_store::{NewAccount, Role, StoreError};
use serde::Deserialize;

use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::locale::Locale;
pub(crate) use password::Passwords;
pub(crate) use reserved::{is_built_in, is_reserved};

/// The form for a new account.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) nickname: String,
    pub(crate) email: String,
    pub(crate) password: String,
}

impl Person {
    /// The account that it describes, with the password still to be hashed.
    fn checked(&self, role: Role) -> Result<NewAccount, Refused> {
        person::password(&self.password)?;
        Ok(NewAccount {
            nickname: person::nickname(&self.nickname, role)?,
            name: person::name(&self.name)?,
            email: person::email(&self.email)?,
            password: String::new(),
            role,
        })
    }

    /// The account that it describes.
    pub(crate) async fn account(&self, role: Role, passwords: &Passwords) -> Result<NewAccount, Refused> {
        let new = self.checked(role)?;
        Ok(NewAccount { password: passwords.hash(self.password.clone()).await?, ..new })
    }
}

/// The field of an account's forms that a refusal concerns; empty if it is none of them.
pub(crate) fn field_of(refused: &Refused) -> &'static str {
    let Refused::Bad(key, _) = refused else { return "" };
    match *key {
        "account.wrong.nickname" | "account.wrong.taken" | "account.wrong.reserved" | "account.wrong.built_in" => {
            "nickname"
        }
        "account.wrong.name" => "name",
        "account.wrong.email" => "email",
        "account.wrong.password" | "account.wrong.common" | "account.wrong.not_chosen" => "password",
        "account.wrong.current" => "current",
        _ => "",
    }
}

/// What is wrong with a form, beside the field that it concerns. Refusals that no change of the form would help stay as they are.
pub(crate) fn wrong(refused: Refused, locale: Locale) -> Result<Wrong, Refused> {
    match &refused {
        Refused::Bad(..) => Ok(Wrong::at(field_of(&refused), &refused, locale)),
        _ => Err(refused),
    }
}

/// The refusal for a nickname or address that is taken. It may be said: nicknames are public.
pub(crate) fn taken(error: StoreError) -> Refused {
    match error {
        StoreError::Taken => Refused::bad("account.wrong.taken"),
        other => other.into(),
    }
}
