package sb2

// A PlayerSearchRequest asks which servers a player is on. [PlayerSearch]
// messages answer it.
//
//wire:message Request frame=TypePlayerSearchRequest canonical
type PlayerSearchRequest struct {
	Options    uint32 `wire:"options"` // opaque
	MaxResults uint32 `wire:"maxResults"`
	Name       string `wire:"name,text0"`
}
