// Package web shows a catalogue: a page that is live, and the same as JSON.
//
// # Pages
//
//	/               all games of all families in one table
//	/server/{id}    one of them, with all that its host said
//
// # JSON
//
// Everything is read only: methods other than GET and HEAD are refused with 405.
// Pages of any origin may read it.
//
//	GET /api/servers        {"version": "c2f1-17", "servers": [Server, ...]}
//	GET /api/servers/{id}   a Server with its fields; 404 if it is not there
//	GET /api/history        {"span": 600, "points": [{"time", "servers", "players"}, ...]}
//	GET /api/events         server-sent events
//
// /api/servers takes the parameters family ("gameagent", "warzone" or
// "bomberman"), q (what is to be in the name, map, mode, version, address,
// source or node, in any case) and quarantined=1 (also those that no list has).
// It is in the order of IDs. Without family and q it can be had in gzip.
//
// A Server is
//
//	id          string   safe in a URL
//	family      string
//	source      string   the protocol by which it came
//	node        string   the node that its host is connected to; "" if there is but one
//	address     string   where players join, host:port; of bomberman it is a claim
//	name, map, mode, version   strings
//	players, maxPlayers        numbers, missing if not known
//	since       string   when it was first seen, RFC 3339 in UTC
//	seen        string   when it was last heard of, in lists up to half a minute old
//	verified    bool     whoever is listed has shown that it is at its address
//	reach       string   "reachable", "unreachable" or "unknown"
//	quarantine  string   why no list has it; missing if lists have it
//	fields      array of [name, value] as the host sent them; not in lists
//
// All texts are for display: see [Visible]. Those of lists have at most [MaxText]
// bytes. The players of a point, and its servers, are the most at once within span
// seconds from its time, which is RFC 3339 in UTC.
//
// Answers have a strong ETag. Ask again with If-None-Match, and while nothing has
// changed the answer is 304 without a body.
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
// First comes a snapshot, or the changes since the version that the header
// Last-Event-ID or the parameter after tells, if they are still known; and state.
// The ID of snapshot and change is the version after it. Whoever is too slow is cut
// off and comes back by itself: browsers do. Beyond the number of streams there may
// be the answer is 503.
package web
