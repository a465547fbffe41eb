//! A game that reports its state to a sidecar, with the standard library alone:
//!
//!     rustc game.rs && ./game 127.0.0.1:7790

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::{env, thread, time::Duration};

/// Reports the whole state. The sidecar answers all queries with it.
fn report(sidecar: &str, players: &BTreeMap<&str, i32>) -> Result<()> {
    let roster: Vec<String> =
        players.iter().map(|(name, score)| format!(r#"{{"name":{},"score":{}}}"#, quoted(name), score)).collect();
    let state =
        format!(r#"{{"name":"Duel","map":"harbor","port":25600,"max":16,"roster":[{}]}}"#, roster.join(","));
    let mut stream = TcpStream::connect(sidecar)?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    write!(
        stream,
        "PUT /v1/state HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        sidecar,
        state.len(),
        state
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if answer.starts_with("HTTP/1.1 2") { Ok(()) } else { Err(Error::new(ErrorKind::Other, answer)) }
}

/// Returns a text as a string of JSON.
fn quoted(text: &str) -> String {
    let mut all = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => all.extend(['\\', c]),
            c if c < ' ' => all += &format!("\\u{:04x}", c as u32),
            c => all.push(c),
        }
    }
    all + "\""
}

fn main() {
    let sidecar = env::args().nth(1).expect("the address of the sidecar");
    let report = |players: &BTreeMap<&str, i32>| {
        if let Err(error) = report(&sidecar, players) {
            eprintln!("not reported: {}", error); // the game goes on, and reports again
        }
        thread::sleep(Duration::from_secs(1));
    };
    let mut players = BTreeMap::from([("Ann \"Fox\"", 3)]);
    report(&players);
    players.insert("Bob", 0);
    report(&players);
    players.remove("Ann \"Fox\"");
    report(&players);
}
