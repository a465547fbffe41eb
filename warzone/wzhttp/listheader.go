package wzhttp

import "encoding/json"

// A ListHeader is the first line of a list.
//
//wire:message Line object type=headerType
type ListHeader struct {
	MOTD  string                     `wire:"motd,max=MaxMOTD"` // message of the day, at most MaxMOTD bytes
	Extra map[string]json.RawMessage // unknown members
}

// headerType is the type of a header line.
const headerType = "header"
