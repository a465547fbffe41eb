// Package web displays a catalogue, as a live page and as JSON.
//
// # Pages
//
//	/               all games of all families in one table; family, game, q and quarantined
//	                choose some as below, and range the time of the graphs
//	/server/{id}    one of them, with all fields that its host sent
//	/server/{id}/embed      a small page about it, the only one that others may frame
//	/server/{id}/badge.svg  a picture with its name and players, or "not listed"
//
// Without scripts, the pages have the same content, but no live changes: the table shows the
// hundred games with the most players, and the number of others. Scripts then take over.
//
// # JSON
//
// Everything is read-only: methods other than GET and HEAD get 405. Pages of any
// origin may read it.
//
//	GET /api/servers        {"version": "c2f1-17", "servers": [Server, ...]}
//	GET /api/servers/{id}   a Server with its fields; 404 if it is not there
//	GET /api/servers/{id}/players   {"asked": ..., "players": [Player, ...]}, asked now
//	GET /api/servers/{id}/history   {"span": 600, "points": [{"time", "players"}, ...]}; range as below
//	GET /api/history        {"span": 600, "points": [{"time", "servers", "players"}, ...]}; range is
//	                        "day", "week" or "month", and game the name of a game, if not of all
//	GET /api/explain        why servers of an address are not listed, as Explain returns it
//	GET /api/events         server-sent events
//
// /api/servers takes the parameters family ("gameagent", "gamespy2", "warzone" or
// "bomberman"), game (the name of a game, such as "serioussamse"), q (a text to search for
// in the name, game, map, mode, version, address, source or node) and quarantined=1 (to
// include servers that are hidden from all lists). Case is ignored. Servers are ordered by
// ID. Answers are compressed with gzip for clients that accept it.
//
// A Server is
//
//	id          string   safe in a URL
//	family      string
//	source      string   the protocol with which it registered
//	node        string   the node that its host is connected to; "" without a cluster
//	address     string   where players join, host:port; unverified for bomberman, and ""
//	                     for games of Warzone 4.7, whose lobby gives it to players only
//	game        string   the game's name in its protocol, as "serioussamse"; "" if unknown
//	name, map, mode, version   strings
//	colours     array of [text, "#rrggbb" or ""], the parts of name; missing without colours
//	players, maxPlayers        numbers, missing if unknown
//	spectators, maxSpectators  numbers, missing if unknown; only games of Warzone have them
//	since       string   when it was first seen, RFC 3339 in UTC
//	seen        string   when it last sent something, in lists up to half a minute old
//	verified    bool     the address has been verified
//	saved       string   after a restart: "unchecked" if it was restored and has not been checked,
//	                     "checked" if it answers but has sent nothing since; missing otherwise
//	reach       string   "reachable", "unreachable" or "unknown"
//	quarantine  string   why it is in no list; missing if it is listed
//	official    bool     an operator has marked it, and the address has been verified; missing otherwise
//	local       bool     players elsewhere cannot use the address, which is of the machine of the lobby or
//	                     a private network, while the list is public; missing otherwise
//	queryable   bool     whether it can be asked for its players
//	fields      array of [name, value] as the host sent them; not in lists
//
// A Player has name, colours as of a Server, score, ping in milliseconds, team and bot, all but
// name only if known. Only listed servers are queried, at most once in ten seconds, whatever the
// number of requests. The answer is 404 if a server is not listed or not queryable, 503 if too many
// are being queried, and 504 if it does not answer.
//
// Names, maps and modes of Serious Sam, and of games of GameSpy, contain no colour codes. Fields
// contain them.
//
// All texts are made safe for display: see [Visible]. In lists they have at most [MaxText] bytes.
// Each point covers the span seconds after its time, which is RFC 3339 in UTC, and contains the
// maximum numbers of servers and players during it. A span of a day has ten minutes, of a week an
// hour, and of a month of 30 days four hours. Up to 64 games have a history; others have no points.
// The history of a server has no points for spans when it was not listed. It stays for its length
// after the server has left, unless there are too many histories.
//
// A list is written as fast as the client reads it. Each server in it is encoded once for all
// clients, until it changes.
//
// Answers have a strong ETag. A request with If-None-Match gets 304 without a body
// while nothing has changed.
//
// # Events
//
// Events of /api/events have these names, and JSON as data:
//
//	snapshot   as /api/servers?quarantined=1; replaces all that was known
//	change     {"put": [Server, ...], "gone": [ID, ...]}; to be made to what is known
//	state      {"node", "nodes", "cutOff"}; of the node that answers. cutOff is when
//	           it lost the others, missing while it has not
//
// The stream starts with a snapshot or, if the header Last-Event-ID or the parameter
// after gives a version that is still known, with the changes since then; and with
// state. The ID of snapshot and change is the version after it. Clients that are too
// slow are disconnected and may reconnect, as browsers do. If there are too many
// streams, the answer is 429.
//
// # Limits
//
// The [admission.Limiter] of a Server counts requests: an answer that the client does not
// have counts once more for each 128 KiB, and a search for each 2000
// servers. A page of a search counts four times more, and a request for players six times. Beyond
// its limits the answer is 429. Answers of 304 are cheap.
package web
