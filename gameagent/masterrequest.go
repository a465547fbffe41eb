package gameagent

// A Join announces to a master that a server has started. It is the letter q. The
// master discards any earlier state of the server and sends it a [Challenge].
//
//wire:message ToMaster type=typeJoin end=decodeEnd
type Join struct{}

// A StateChanged announces to a master that a player has joined a server. It is the
// letter u. The master ignores it if the server is listed. Otherwise it sends the
// server a [Challenge].
//
//wire:message ToMaster type=typeStateChanged end=decodeEnd
type StateChanged struct{}

// A ListRequest requests the servers of a master. It is the letter e. The answer is
// one or more [ServerList] packets.
//
//wire:message ToMaster type=typeListRequest end=decodeEnd
type ListRequest struct{}
