// Package health checks the servers that masters list. It judges what they claim,
// probes whether they respond, and passes both to a catalogue.
//
// A [Judge] hides servers that are banned, that claim impossible values, or that
// have the same name as very many earlier ones of their address or prefix. Hidden servers stay
// connected, so they are listed again as soon as the reason is gone.
//
// A [Watcher] looks at the masters every second. It compares their entries with the entries of the
// last look, and reads and judges only servers that have changed or whose judgement may change. It
// probes each server every two minutes, as a client would: it queries GameAgent servers for their
// status, because heartbeats lack names and players; and it connects to Bomberman servers that
// claim the address they have registered from. It connects to no other claimed address. It neither
// connects to hidden servers nor probes banned addresses. The lobbies of Warzone check their
// games, and withhold games that no longer answer; the Watcher requests the IDs only of games that
// no lobby has checked, as after a restart or with -no-verify.
//
// # Measured
//
// On one core of an AMD EPYC, with 100 000 servers of GameAgent:
//
//	a look if nothing has changed       50 ms of processor time
//	a first look                        1 s
//
// A separate lobbyd with 100 000 legacy servers, each with a heartbeat and a query a minute and
// other players each time, on two busy cores:
//
//	age of the page and of the API      1.0 s, at most 1.5 s
//	processor time                      0.46 of a core
//	memory                              600 to 830 MB
//	the same after three whole lists    30 MB more
package health
