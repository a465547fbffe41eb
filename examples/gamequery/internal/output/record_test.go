package output

import (
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

// A record has each member of the schema except the version, the target and the answer.
func TestRecordHasAllMembers(t *testing.T) {
	full, err := FullRecord()
	if err != nil {
		t.Fatal(err)
	}
	delete(full, rttAlias)
	properties := programtest.ParseSchema(t, Schema).Properties
	for name := range properties {
		if _, ok := full[name]; ok == (name == "answer" || name == "schema" || name == "target") {
			t.Errorf("%s: in a record %v", name, ok)
		}
	}
	if len(full) != len(properties)-3 {
		t.Errorf("a record has %d members, the schema %d", len(full), len(properties))
	}
}
