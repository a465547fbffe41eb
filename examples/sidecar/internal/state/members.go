package state

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// membersOf returns the names of the members of a T in JSON.
func membersOf[T any]() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// maxShown bounds the name of a member in an error.
const maxShown = 40

// viewMembers are the members of a state, and listMembers the members of the elements of its
// lists.
var (
	viewMembers = membersOf[lobbywire.View]()
	listMembers = [...]struct {
		name    string
		members []string
	}{
		{"roster", membersOf[lobbywire.Player]()},
		{"teams", membersOf[lobbywire.Team]()},
		{"rules", membersOf[lobbywire.Rule]()},
	}
)

// checkMembers fails if a document has a member that no state has.
func checkMembers(doc document) error {
	if err := checkObject("", doc, viewMembers); err != nil {
		return err
	}
	for _, list := range listMembers {
		items, _ := doc[list.name].([]any)
		for i, item := range items {
			object, _ := item.(document)
			if err := checkObject("/"+list.name+"/"+strconv.Itoa(i), object, list.members); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkObject fails if the object at a JSON pointer has a member that is not one of these.
func checkObject(at string, object document, members []string) error {
	for name := range object {
		if slices.Contains(members, name) {
			continue
		}
		return fmt.Errorf("JSON value %q: no member %q; there are %s", at, name[:min(len(name), maxShown)],
			strings.Join(members, ", "))
	}
	return nil
}
