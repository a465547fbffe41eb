package gameagent

// A ListRequest asks a master for its list of servers. It is the letter e. The
// answer is one or more [ServerList] packets.
//
//wire:message ToMaster type=typeListRequest end=decodeEnd
type ListRequest struct{}
