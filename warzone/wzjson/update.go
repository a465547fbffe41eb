package wzjson

// An Update changes fields of a game; see [Fields.Apply]. The lobby may answer
// with an [Ack] or an [Error].
//
//wire:message Message command=update
type Update struct {
	ID     string `wire:"id,max=MaxID,must=isPresent"` // of 1 to MaxID bytes, chosen by the lobby
	Fields Fields `wire:",inline"`                     // the changes; unknown members of the query are its Extra
	Envelope
}
