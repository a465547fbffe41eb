package gameagent

// A Join tells a master that a server has started. It is the letter q. The master
// discards any earlier state of the server and sends it a [Challenge].
//
//wire:message ToMaster type=typeJoin end=decodeEnd
type Join struct{}
