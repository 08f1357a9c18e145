//! CSRF tokens, masked so that compression cannot leak them.
//!
//! Pages are compressed, and some of them repeat text from the address. If the same token stood in every page, the length of
//! the compressed page would tell how much of a guess in the address agrees with it (BREACH). So each page shows the token
//! XORed with a random pad, and the pad: the bytes differ from page to page, and only the server knows what they hide.

use palestra_store::Token;

const PURPOSE: &str = "csrf";

/// Bytes of a token, and of its pad.
const LENGTH: usize = 32;

/// The token of a visitor as one page shows it: the pad and the masked token, in hexadecimal.
pub(crate) fn masked(visitor: &Token) -> String {
    let mut pad = [0; LENGTH];
    getrandom::fill(&mut pad).expect("the system has random numbers");
    let hidden = xor(visitor.derived(PURPOSE), pad);
    [pad, hidden].as_flattened().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a page showed this to the visitor. The comparison takes the same time wherever the tokens differ.
pub(crate) fn is_of(visitor: &Token, shown: &str) -> bool {
    let Some((pad, hidden)) = parse(shown) else { return false };
    let difference = xor(xor(pad, hidden), visitor.derived(PURPOSE));
    std::hint::black_box(difference.iter().fold(0, |all, byte| all | byte)) == 0
}

fn parse(shown: &str) -> Option<([u8; LENGTH], [u8; LENGTH])> {
    let (pairs, []) = shown.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes: Option<Vec<u8>> = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    let bytes = bytes?;
    let (pad, hidden) = bytes.split_at_checked(LENGTH)?;
    Some((pad.try_into().ok()?, hidden.try_into().ok()?))
}

fn xor(one: [u8; LENGTH], other: [u8; LENGTH]) -> [u8; LENGTH] {
    std::array::from_fn(|index| one[index] ^ other[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_shows_other_bytes_and_all_are_taken() {
        let visitor = Token::random();
        let shown = [(); 100].map(|()| masked(&visitor));
        for (index, text) in shown.iter().enumerate() {
            assert!(is_of(&visitor, text) && !is_of(&Token::random(), text));
            assert!(shown[..index].iter().all(|other| other != text));
        }
    }

    #[test]
    fn the_same_pad_never_shows_the_same_half_twice() {
        let visitor = Token::random();
        let (one, two) = (masked(&visitor), masked(&visitor));
        assert_ne!(one[..64], two[..64]);
        assert_ne!(one[64..], two[64..]);
    }

    #[test]
    fn what_was_changed_is_refused() {
        let visitor = Token::random();
        let shown = masked(&visitor);
        for at in 0..shown.len() {
            for other in ["0", "f", "g", "é", ""] {
                let changed = format!("{}{other}{}", &shown[..at], &shown[at + 1..]);
                assert_eq!(is_of(&visitor, &changed), changed == shown, "{changed}");
            }
        }
        for wrong in ["", "0", &shown[..64], &shown[64..], &format!("{shown}00"), &"0".repeat(128), "💣💣"] {
            assert!(!is_of(&visitor, wrong), "{wrong}");
        }
    }
}
