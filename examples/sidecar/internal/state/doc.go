// Package state holds the state that a game last reported, and reads the JSON of reports.
//
// # The JSON of a state
//
// A state is one JSON object, with the members that gamequery prints with -json for a
// server: name, game, map, mode, version, host, port, players, bots, max, password,
// roster, teams and rules. They are described by [lobbywire.View]. All are optional.
//
//	{"name":"Duel","map":"harbor","port":7777,"max":16,
//	 "roster":[{"name":"Ann","score":3,"ping":40}]}
//
// Accepted, because encoders in other languages write it: a byte order mark, UTF-16 after one, null
// for an unknown value, and whole numbers such as 3.0. A string that is not UTF-8 is read as
// Windows-1252; an escape of half a surrogate pair is refused. Also accepted and ignored are the
// other members of a line of gamequery: schema, protocol, address, query, rtt, attempts, lacks and
// answer. A line with an error is refused, because it has no state.
//
// Every other member is refused, and so are a value of another type, and a count or a
// ping below 0: a state with a misspelt member should fail while the game is developed,
// not look half empty in every server browser. The error names the JSON pointer of the
// value.
package state
