// Package health checks the servers that masters list. It judges what they claim,
// probes whether they respond, and passes both to a catalogue.
//
// A [Judge] hides servers that are banned, that claim impossible values, or that
// have the same name as very many earlier ones of their address or prefix. Hidden servers stay
// connected, so they are listed again as soon as the reason is gone.
//
// A [Watcher] looks at the masters about every second. It probes each server every
// two minutes, as a client would: it queries GameAgent servers for their status,
// since heartbeats lack names and players; and it
// connects to Bomberman servers that claim the address they have registered
// from. Since anybody can claim any address, it connects to no other. It
// neither connects to hidden servers nor probes banned addresses. The lobbies of Warzone check
// their games, and withhold those that do not answer any more; the Watcher asks only those for
// their ID that no lobby has checked, as after a restart or with -no-verify.
package health
