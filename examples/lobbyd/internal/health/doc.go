// Package health looks after what masters list: it judges what servers claim,
// asks them whether they are there, and tells a catalogue of both.
//
// A [Judge] keeps off the lists whoever is banned, claims what cannot be, or has
// a name that very many have, but for the first of those. What it keeps off stays
// connected, so it comes back by itself once it behaves.
//
// A [Watcher] looks at the masters about every second. It asks each server every two
// minutes whether it answers, as a client would: GameAgent servers for their
// status, whose name and players no heartbeat tells; Warzone games for their id;
// Bomberman servers whether they accept a connection, if they say that they are
// where they registered from. It connects nowhere else, since there anybody may
// claim the address of anybody; not to what is withheld, and asks nothing of
// banned addresses.
package health
