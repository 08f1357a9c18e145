//! Visitors: sessions, guests and API tokens; their address behind proxies, and their language.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use palestra_store::{Account, Role, SESSION_MS, Scope, Scopes, Token, TokenHash};
use serde::Deserialize;

use crate::app::{App, now_ms};
use crate::http::csrf;
use crate::http::error::{self, Format, Refused};
use crate::locale::Locale;
use crate::theme::Theme;

/// The client of a request: account, address and language. Every browser has a token in a cookie: it stands for a
/// session, or for a guest who has no account.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) locale: Locale,
    pub(crate) theme: Theme,
    /// The path of the request.
    pub(crate) path: String,
    /// Whether a form was sent only to be shown again, in another language or theme.
    pub(crate) is_switch: bool,
    pub(crate) address: IpAddr,
    /// The address of this machine that they came to.
    pub(crate) reached: Option<SocketAddr>,
    pub(crate) token: Token,
    /// The account that is signed in.
    pub(crate) account: Option<Account>,
    /// Whether the navigation leads to courses: the account teaches, or is a member somewhere.
    pub(crate) has_courses: bool,
    /// The scopes of an API token; `None` for a browser, which has all rights of its account.
    pub(crate) scopes: Option<Scopes>,
}

/// Both ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    peer: SocketAddr,
    own: Option<SocketAddr>,
}

impl Ends {
    pub(crate) const fn new(peer: SocketAddr, own: Option<SocketAddr>) -> Self {
        Self { peer, own }
    }
}

/// Whether a cookie's token is a session or a guest: a letter before it, so that guests cost no question to the store.
const SESSION: char = 's';
const GUEST: char = 'g';

/// The key of the refusal of a form that was sent only to be shown again.
pub(crate) const UNSENT: &str = "refused.unsent";

impl Visitor {
    /// The account that is signed in, or a refusal.
    pub(crate) fn signed_in(&self) -> Result<&Account, Refused> {
        self.account.as_ref().ok_or(Refused::SignIn)
    }

    /// The account that is signed in with a browser, if it has at least this role; else a refusal.
    pub(crate) fn at_least(&self, role: Role) -> Result<&Account, Refused> {
        let account = self.signed_in()?;
        if account.role >= role && self.scopes.is_none() { Ok(account) } else { Err(Refused::Forbidden) }
    }

    /// The account that is signed in, if its session or API token has this scope; else a refusal.
    pub(crate) fn may(&self, scope: Scope) -> Result<&Account, Refused> {
        let account = self.signed_in()?;
        let may = self.scopes.as_ref().is_none_or(|scopes| scopes.has(scope));
        if may { Ok(account) } else { Err(Refused::Forbidden) }
    }

    /// Whether what the form asks is to be done. A page that came back with what was typed has its switches of language and theme send
    /// the form once more, so that nothing typed is lost; the refusal then leads to the same page.
    pub(crate) fn sends(&self) -> Result<(), Refused> {
        if self.is_switch { Err(Refused::bad(UNSENT)) } else { Ok(()) }
    }

    /// The CSRF token for the forms of one page, masked anew each time.
    pub(crate) fn csrf(&self) -> String {
        csrf::masked(&self.token)
    }

    /// Whether a page that was shown to this visitor had this CSRF token.
    pub(crate) fn has_csrf(&self, shown: &str) -> bool {
        csrf::is_of(&self.token, shown)
    }

    /// By what a guest is recognised.
    pub(crate) fn guest(&self) -> TokenHash {
        self.token.hash()
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().expect("every page has the layer that finds the visitor").clone())
    }
}

/// Finds the visitor of each request, gives new ones a cookie, and says refusals in their language.
pub(crate) async fn layer(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let format = Format::of(parts.uri.path());
    let is_api = format != Format::Page;
    let takes_tokens = is_api || parts.uri.path() == "/metrics";
    let (visitor, is_new) = match find(&app, &parts, takes_tokens).await {
        Ok(found) => found,
        Err(refused) => return error::answer(&refused, None, format),
    };
    request = Request::from_parts(parts, body);
    request.extensions_mut().insert(visitor.clone());
    let mut response = next.run(request).await;
    if let Some(refused) = response.extensions_mut().remove::<Refused>() {
        let headers = std::mem::take(response.headers_mut());
        response = error::answer(&refused, Some(&visitor), format);
        response.headers_mut().extend(headers);
    }
    let is_theirs = |value: &HeaderValue| value.as_bytes().starts_with(cookie_name(&app).as_bytes());
    let sets_cookie = response.headers().get_all(header::SET_COOKIE).iter().any(is_theirs);
    if is_new && !is_api && !sets_cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie(&app, GUEST, &visitor.token));
    }
    // A form of another site is refused and switches nothing.
    let is_page = response.status().is_success() || response.status() == StatusCode::UNPROCESSABLE_ENTITY;
    if visitor.is_switch && is_page {
        response.headers_mut().append(header::SET_COOKIE, visitor.locale.cookie());
        response.headers_mut().append(header::SET_COOKIE, visitor.theme.cookie());
    }
    response
}

/// The language or the theme that the address of a sent form asks for.
#[derive(Default, Deserialize)]
struct Switch {
    lang: Option<String>,
    theme: Option<String>,
}

impl Switch {
    fn of(parts: &Parts) -> Self {
        let query = parts.uri.query().filter(|_| parts.method == Method::POST);
        query.and_then(|query| serde_urlencoded::from_str(query).ok()).unwrap_or_default()
    }
}

async fn find(app: &App, parts: &Parts, takes_tokens: bool) -> Result<(Visitor, bool), Refused> {
    let headers = &parts.headers;
    let ConnectInfo(ends) = parts.extensions.get::<ConnectInfo<Ends>>().expect("the server knows who connects");
    let switch = Switch::of(parts);
    let locale = switch.lang.as_deref().and_then(Locale::find);
    let theme = switch.theme.as_deref().and_then(Theme::find);
    let came = Came {
        locale: locale.or_else(|| Locale::chosen(headers)).unwrap_or_else(|| Locale::asked(headers)),
        theme: theme.unwrap_or_else(|| Theme::chosen(headers)),
        is_switch: locale.is_some() || theme.is_some(),
        path: parts.uri.path().to_owned(),
        address: address(app, ends.peer, headers),
        reached: ends.own,
    };
    if let Some(bearer) = headers.get(header::AUTHORIZATION).filter(|_| takes_tokens) {
        return Ok((program(app, bearer, came).await?, false));
    }
    let shown = cookie_value(headers, cookie_name(app)).and_then(|value| {
        let kind = value.chars().next()?;
        Token::shown(value.get(1..)?).map(|token| (kind, token))
    });
    Ok(match shown {
        Some((SESSION, token)) => match app.store.session(&token.hash(), now_ms()).await? {
            Some(account) => {
                let has_courses = !takes_tokens && has_courses(app, &account).await?;
                (Visitor { account: Some(account), has_courses, ..guest(came, token) }, false)
            }
            None => (guest(came, Token::random()), true),
        },
        Some((GUEST, token)) => (guest(came, token), false),
        _ => (guest(came, Token::random()), true),
    })
}

/// What a request says of its visitor besides who they are; see [`Visitor`].
struct Came {
    locale: Locale,
    theme: Theme,
    is_switch: bool,
    path: String,
    address: IpAddr,
    reached: Option<SocketAddr>,
}

fn guest(came: Came, token: Token) -> Visitor {
    let Came { locale, theme, is_switch, path, address, reached } = came;
    Visitor { locale, theme, path, is_switch, address, reached, token, account: None, has_courses: false, scopes: None }
}

async fn has_courses(app: &App, account: &Account) -> Result<bool, Refused> {
    Ok(account.role >= Role::Teacher || app.store.has_courses(account).await?)
}

/// A program that shows a token. Its cookies are not looked at.
async fn program(app: &App, bearer: &HeaderValue, came: Came) -> Result<Visitor, Refused> {
    let shown = bearer.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")).and_then(Token::shown);
    let token = shown.ok_or(Refused::SignIn)?;
    let found = app.store.use_api_token(&token.hash(), now_ms()).await?;
    let (account, scopes) = found.ok_or(Refused::SignIn)?;
    Ok(Visitor { account: Some(account), scopes: Some(scopes), ..guest(came, token) })
}

/// The cookie that makes a browser a session.
pub(crate) fn session_cookie(app: &App, token: &Token) -> HeaderValue {
    cookie(app, SESSION, token)
}

/// The cookie that makes a browser a new guest.
pub(crate) fn guest_cookie(app: &App) -> HeaderValue {
    cookie(app, GUEST, &Token::random())
}

fn cookie(app: &App, kind: char, token: &Token) -> HeaderValue {
    let (name, secret, seconds) = (cookie_name(app), token.secret(), SESSION_MS / 1000);
    let secure = if app.origins.is_secure() { "; Secure" } else { "" };
    let cookie = format!("{name}={kind}{secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).expect("letters and digits can stand in a header")
}

/// A cookie that keeps a choice for a year.
pub(crate) fn kept(name: &str, word: &'static str) -> HeaderValue {
    let cookie = format!("{name}={word}; Path=/; Max-Age=31536000; SameSite=Lax");
    HeaderValue::from_str(&cookie).expect("words of choices can stand in a header")
}

/// With https the browser is told that no other host may set it.
fn cookie_name(app: &App) -> &'static str {
    if app.origins.is_secure() { "__Host-palestra" } else { "palestra" }
}

pub(crate) fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The address of a client. `X-Forwarded-For` is followed from hop to hop as long as each hop is a trusted proxy.
fn address(app: &App, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let is_trusted = |address: &IpAddr| app.config.trust_proxy.iter().any(|net| net.contains(address));
    let peer = peer.ip().to_canonical();
    if !is_trusted(&peer) {
        return peer;
    }
    let forwarded = headers.get_all("x-forwarded-for").into_iter().map(|value| value.to_str().unwrap_or_default());
    let hops: Vec<&str> = forwarded.flat_map(|value| value.split(',')).collect();
    let mut nearest = peer;
    for hop in hops.into_iter().rev() {
        // Whatever stands before a word that is no address may be the visitor's invention.
        let Ok(hop) = hop.trim().parse::<IpAddr>() else { break };
        nearest = hop.to_canonical();
        if !is_trusted(&nearest) {
            break;
        }
    }
    nearest
}
