package sb2

// A PushKeys lists the keys of the [PushServer] messages that follow it,
// replacing those of the list.
//
//wire:message Push frame=typePushKeys canonical
type PushKeys struct {
	Keys []Key `wire:"keys,keys"`
}
