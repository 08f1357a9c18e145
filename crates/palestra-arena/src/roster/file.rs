//! Program files: checks whether one can be executed, and explains why not.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use palestra_sandbox::executable::{in_path, is_executable, is_systems};
use palestra_sandbox::plain_file::{Links, open};

use super::EntrantError;
use super::words::split_words;
use crate::source::{BuildError, Workshop};

/// A program as it was typed: a file, or one that the system finds by its name.
pub(super) enum Found {
    File(PathBuf, Metadata),
    InPath(PathBuf),
}

/// The program that a text names, and its arguments.
pub(super) fn find(what: &str, nearest: Vec<&'static str>) -> Result<(Found, Vec<OsString>), EntrantError> {
    // All of it may be one file with blanks in its path.
    let words = if Path::new(what).exists() { vec![what.to_owned()] } else { split_words(what) };
    let (program, args) = words.split_first().ok_or(EntrantError::Empty)?;
    let path = PathBuf::from(program);
    let found = match fs::metadata(&path) {
        Ok(metadata) => Found::File(path, metadata),
        // With arguments, the program may be one that the system knows: python3 bot.py.
        Err(_) if !args.is_empty() && !has_folder(&path) => {
            Found::InPath(in_path(program).ok_or_else(|| unknown(program, nearest))?)
        }
        Err(_) if !has_folder(&path) => return Err(unknown(program, nearest)),
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(EntrantError::NoFile { path }),
        Err(source) => return Err(EntrantError::Start { path, source }),
    };
    Ok((found, args.iter().map(OsString::from).collect()))
}

/// What to run for what was typed: a file, or a file and its arguments.
pub(super) fn command(
    what: &str,
    nearest: Vec<&'static str>,
    workshop: &mut Workshop<'_>,
) -> Result<Vec<OsString>, EntrantError> {
    let (found, args) = find(what, nearest)?;
    let mut command = match found {
        Found::File(path, metadata) => of_file(&path, &metadata, workshop)?,
        Found::InPath(program) => vec![program.into()],
    };
    command.extend(args);
    Ok(command)
}

fn unknown(name: &str, nearest: Vec<&'static str>) -> EntrantError {
    EntrantError::Unknown { name: name.to_owned(), nearest }
}

fn has_folder(path: &Path) -> bool {
    path.components().count() > 1 || path.is_absolute()
}

/// A file is run by itself, and a Python script that cannot be, by Python.
fn of_file(path: &Path, metadata: &Metadata, workshop: &mut Workshop<'_>) -> Result<Vec<OsString>, EntrantError> {
    // It is refused where it is copied; here the error has the path as it was typed.
    if workshop.links() == Links::Refuse && !fs::canonicalize(path).is_ok_and(|real| is_systems(&real)) {
        open(path, Links::Refuse).map_err(|error| BuildError::reading(path, error))?;
    }
    // A bare name would be looked for elsewhere.
    let absolute = std::path::absolute(path).map_err(|source| EntrantError::Start { path: path.into(), source })?;
    if is_executable(metadata) {
        return Ok(vec![absolute.into()]);
    }
    if !is_script(path) {
        return without_run_bit(path, absolute, workshop);
    }
    let python = in_path("python3");
    let python = python.ok_or_else(|| BuildError::NoCompiler { compiler: "python3".to_owned(), path: path.into() })?;
    Ok(vec![python.into(), absolute.into()])
}

/// A program or a script without execute permission, as some tools unpack them. The user's file is left as it is: a box
/// has a copy that may be executed, outside a script is run by its interpreter, and a program from a copy.
fn without_run_bit(path: &Path, absolute: PathBuf, workshop: &mut Workshop<'_>) -> Result<Vec<OsString>, EntrantError> {
    let head = open(path, workshop.links()).and_then(head).map_err(|error| BuildError::reading(path, error))?;
    let interpreter = interpreter_words(&head);
    if interpreter.is_none() && !head.starts_with(ELF) {
        return Err(EntrantError::NotExecutable { path: path.into() });
    }
    let how = if interpreter.is_some() { "its interpreter runs it" } else { "a copy of it is run" };
    workshop.notice(&format!("{} may not be executed: {how} (to change that: chmod +x '{0}')", path.display()));
    match interpreter {
        _ if workshop.sandbox().is_some() => Ok(vec![absolute.into()]),
        Some(words) if !Path::new(&words[0]).exists() => {
            Err(EntrantError::NoInterpreter { path: path.into(), interpreter: words[0].clone() })
        }
        Some(words) => Ok(words.into_iter().map(OsString::from).chain([absolute.into()]).collect()),
        None => Ok(vec![workshop.executable_copy(&absolute)?.into()]),
    }
}

/// How programs for Linux begin.
const ELF: &[u8] = b"\x7fELF";

/// Why a command could not be started, as far as its file tells.
pub(super) fn explain(command: &[OsString], error: io::Error) -> EntrantError {
    let path = PathBuf::from(command.first().cloned().unwrap_or_default());
    let head = head_of(&path);
    match error.kind() {
        ErrorKind::NotFound if !path.exists() => EntrantError::NoFile { path },
        ErrorKind::NotFound => match interpreter(&head) {
            Some(interpreter) => EntrantError::NoInterpreter { path, interpreter },
            None => EntrantError::NoInterpreter { path, interpreter: "a loader of another system".to_owned() },
        },
        ErrorKind::PermissionDenied => EntrantError::NotExecutable { path },
        _ if is_no_program(&error) => EntrantError::NotAProgram { path, what: looks(&head) },
        _ => EntrantError::Start { path, source: error },
    }
}

/// Checks the interpreter of a script inside the box, which may lack one that the machine has.
pub(super) fn explain_in_box(command: &[OsString], error: io::Error) -> EntrantError {
    let path = PathBuf::from(command.first().cloned().unwrap_or_default());
    match interpreter(&head_of(&path)) {
        Some(interpreter) if error.kind() == ErrorKind::NotFound && Path::new(&interpreter).exists() => {
            EntrantError::OutsideBox { path, interpreter }
        }
        _ => explain(command, error),
    }
}

/// The system's word for a file that it cannot run (ENOEXEC), or whose insides are wrong (ELIBBAD).
fn is_no_program(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(8 | 80))
}

/// The beginning of a file that a command names.
fn head_of(path: &Path) -> Vec<u8> {
    open(path, Links::Follow).and_then(head).unwrap_or_default()
}

fn head(file: File) -> io::Result<Vec<u8>> {
    let mut head = vec![];
    file.take(512).read_to_end(&mut head)?;
    Ok(head)
}

/// The interpreter of a script, from its first line; an invisible carriage return there is shown.
fn interpreter(head: &[u8]) -> Option<String> {
    interpreter_words(head).map(|mut words| words.swap_remove(0))
}

/// The interpreter of a script and the one argument that it may have, as the kernel reads them.
fn interpreter_words(head: &[u8]) -> Option<Vec<String>> {
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line).replace('\r', "\\r");
    let (interpreter, argument) = line.trim().split_once([' ', '\t']).unwrap_or((line.trim(), ""));
    let words = [interpreter, argument.trim()].into_iter().filter(|word| !word.is_empty());
    Some(words.map(str::to_owned).collect()).filter(|words: &Vec<_>| !words.is_empty())
}

/// What a file that cannot be run looks like.
fn looks(head: &[u8]) -> String {
    let is_text = |bytes: &[u8]| bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r'));
    match head {
        [] => "empty".to_owned(),
        [0x7f, b'E', b'L', b'F', ..] => elf(head),
        [b'M', b'Z', ..] => "a program for Windows".to_owned(),
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => "a program for macOS".to_owned(),
        [0xca, 0xfe, 0xba, 0xbe, ..] => "a Java class or a program for macOS".to_owned(),
        [b'P', b'K', 3, 4, ..] => "an archive (zip or jar)".to_owned(),
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "a library".to_owned(),
        _ if is_text(head) => "text without a first line that says who runs it".to_owned(),
        _ => "no program that this machine knows".to_owned(),
    }
}

/// A file in the format of Linux: for which machine, or why not a program.
fn elf(head: &[u8]) -> String {
    let word = |at: usize| {
        let bytes = [*head.get(at)?, *head.get(at + 1)?];
        Some(if head[5] == 2 { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let machine = match word(18) {
        Some(3) => "x86 of 32 bits",
        Some(8) => "MIPS",
        Some(40) => "ARM of 32 bits",
        Some(62) => "x86-64",
        Some(183) => "ARM of 64 bits",
        Some(243) => "RISC-V",
        Some(_) => "a machine of another kind",
        None => return "a program that was cut off".to_owned(),
    };
    match word(16) {
        Some(1) => format!("an object file for {machine}, which still has to be linked"),
        _ => format!("a Linux program for {machine}, and this machine is {}", env::consts::ARCH),
    }
}

/// Whether it is a file in Python.
pub(super) fn is_script(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("py"))
}

/// A Python file and the files beside it, which it may import, in the order of their names. Symlinks are among
/// them; reading one is refused.
pub(super) fn modules(script: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = script.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut paths = vec![script.to_owned()];
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_other = Some(entry.file_name().as_os_str()) != script.file_name();
        if is_other && is_script(&entry.path()) && !entry.file_type()?.is_dir() {
            paths.push(entry.path());
        }
    }
    paths[1..].sort();
    Ok(paths)
}
