package state

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/lobbywire/lobbywire"
)

// Patch returns a state changed by a JSON merge patch (RFC 7396): members of the patch
// replace members of the state, null removes a member, and a list replaces the whole
// list.
func Patch(v lobbywire.View, patch []byte) (lobbywire.View, error) {
	changes, err := decode(patch)
	if err != nil {
		return lobbywire.View{}, err
	}
	if _, failed := changes["error"]; failed {
		return lobbywire.View{}, errors.New("/error: the line reports an error, not a state")
	}
	now, err := json.Marshal(v)
	if err != nil {
		return lobbywire.View{}, err
	}
	dec := json.NewDecoder(bytes.NewReader(now))
	dec.UseNumber()
	var doc document
	if err := dec.Decode(&doc); err != nil {
		return lobbywire.View{}, err
	}
	return viewOf(merge(doc, changes).(document))
}

// merge returns target changed by a patch, as section 2 of RFC 7396 defines it. It changes
// target.
func merge(target, patch any) any {
	changes, ok := patch.(document)
	if !ok {
		return patch
	}
	doc, ok := target.(document)
	if !ok {
		doc = document{}
	}
	for name, change := range changes {
		if change == nil {
			delete(doc, name)
			continue
		}
		doc[name] = merge(doc[name], change)
	}
	return doc
}
