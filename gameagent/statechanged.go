package gameagent

// A StateChanged tells a master that a player has joined a server. It is the
// letter u. The master ignores it if it knows the server. Otherwise it sends the
// server a [Challenge].
//
//wire:message ToMaster type=typeStateChanged end=decodeEnd
type StateChanged struct{}
